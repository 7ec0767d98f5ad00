"""Text that stays text, whatever it holds: in HTML, in attributes, and inside a block of JSON."""

import json
from html import escape
from typing import Any

# A browser ends a script block at "</script", whatever stands before it, and begins a comment at "<!--"; the two
# separators end a line in old JavaScript. In JSON each may be written by its number, which reads back as itself.
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def text(value: object) -> str:
    """A value as HTML text, safe between tags and inside a quoted attribute.

    Examples
    --------
    >>> text('</script><b a="1">')
    '&lt;/script&gt;&lt;b a=&quot;1&quot;&gt;'
    """
    return escape(str(value), quote=True)


def prose(value: object) -> str:
    r"""The same for sentences: a number and its per cent sign stay on one line.

    Examples
    --------
    >>> prose("held 95 % & more")
    'held 95\xa0% &amp; more'
    """
    return text(value).replace(" %", "\u00a0%")


def json_text(value: Any) -> str:
    r"""A plain value as JSON that no HTML parser reads a tag in; NaN and infinity are refused, as JSON has neither.

    Examples
    --------
    >>> json_text({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    plain = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return plain.translate(_UNSAFE)


def json_block(name: str, value: Any) -> str:
    """A plain value inside a page, for scripts and readers to find by its name."""
    return f'<script type="application/json" id="{text(name)}">{json_text(value)}</script>\n'
