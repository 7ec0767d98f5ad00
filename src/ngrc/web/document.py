"""The frame of every page: one file, light and dark, readable on a phone and in print."""

from collections.abc import Sequence

from ngrc.web.assets import asset
from ngrc.web.escaping import text
from ngrc.web.policy import policy

THEME = (
    '<div class="theme" hidden><label for="theme">Appearance</label> '
    '<select id="theme"><option value="system">as the system</option>'
    '<option value="light">light</option><option value="dark">dark</option></select></div>'
)
"""Shown by the script that makes it work."""


SKIP = '<a class="skip" href="#main">To the content</a>'
"""The first thing that a keyboard reaches; a body has an element of that id."""


def document(title: str, body: str, *, generator: str, scripts: Sequence[str] = ()) -> str:
    """A complete HTML document, with a choice of light and dark, and tables that sort.

    Parameters
    ----------
    title
        Plain text.
    body
        HTML, its text escaped.
    generator
        The meta tag that says where the page is from, as HTML.
    scripts
        Source of further scripts, which run after the body in this order, behind those that every page has.
    """
    every = (asset("theme.js"), asset("tables.js"), *scripts)
    # Of a script block the parser reads nothing but its end; ours hold none, and Plotly's is checked here.
    for script in every:
        if "</script" in script.lower() or "<!--" in script:
            raise ValueError(
                "a script that holds </script or <!-- cannot stand in a page; write it differently"
            )
    blocks = "".join(f"<script>{script}</script>\n" for script in every)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{text(policy(every))}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{generator}\n<title>{text(title)}</title>\n<style>{asset('page.css')}</style>\n</head>\n"
        f"<body>\n{SKIP}\n{THEME}\n{body}\n{blocks}</body>\n</html>\n"
    )
