"""The frame of every page of the study: that of all our pages, with its own line of origin."""

from ngrc.web import document as framed

GENERATOR = '<meta name="generator" content="ngrc reproduce">'
"""Says where a page is from; what proves it ours is a hash, in the marker beside it or in this line of the index."""


def document(title: str, body: str) -> str:
    """A complete HTML document, its tables to be sorted and its appearance to be chosen, as on a report's page."""
    return framed(title, f'<main id="main">\n{body}\n</main>', generator=GENERATOR)
