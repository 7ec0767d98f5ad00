"""Small pieces of HTML whose text is escaped."""

from collections.abc import Iterable

from ngrc.web.escaping import prose, text


def paragraphs(sentences: Iterable[str]) -> str:
    """One paragraph per sentence."""
    return "".join(f"<p>{prose(sentence)}</p>" for sentence in sentences)


def items(sentences: Iterable[str]) -> str:
    """A list; nothing where there are none."""
    listed = "".join(f"<li>{prose(sentence)}</li>" for sentence in sentences)
    return f"<ul>{listed}</ul>" if listed else ""


def mono(line: str) -> str:
    """A line of code or an equation, broken where it is too long."""
    return f"<pre><code>{text(line)}</code></pre>"


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and what they are."""
    return f"<dl>{''.join(f'<dt>{text(name)}</dt><dd>{text(value)}</dd>' for name, value in pairs)}</dl>"


def folded(summary: str, body: str, *, open_: bool = False) -> str:
    """What most readers skip; `body` is HTML."""
    return f"<details{' open' * open_}><summary>{text(summary)}</summary>{body}</details>"
