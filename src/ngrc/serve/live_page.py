"""Pages as shells without data: a script from the same server fetches what they show, with the token where one is."""

from functools import cache
from importlib.resources import files

from ngrc.web.assets import asset as shared_asset
from ngrc.web.document import SKIP, THEME
from ngrc.web.escaping import text

STYLE, SCRIPT = "text/css", "text/javascript"
SHARED = ("page.css", "theme.js")
"""Of every page of ours, in the room `web`."""
ASSETS = {
    "page.css": STYLE,
    "live.css": STYLE,
    "theme.js": SCRIPT,
    "client.js": SCRIPT,
    "numbers.js": SCRIPT,
    "times.js": SCRIPT,
    "drawing.js": SCRIPT,
    "band.js": SCRIPT,
    "coverage.js": SCRIPT,
    "live.js": SCRIPT,
    "index.js": SCRIPT,
}
"""Files that pages ask for, and their kinds."""

_LOGIN = (
    '<form id="login" class="login" hidden><h2>This service asks for a token</h2>'
    '<label for="token">Token</label> <input id="token" type="password" autocomplete="off" spellcheck="false" '
    'required> <button type="submit">Go on</button> <p id="login-error" class="refused" role="alert"></p>'
    '<p class="quiet">It is kept in this tab until you close it, and is sent in a header, never in an address.</p>'
    "</form>"
)
_BANNERS = '<div id="banners" role="alert" aria-live="assertive"></div>'


@cache
def asset(name: str) -> str:
    """The text of one of `ASSETS`.

    Examples
    --------
    >>> asset("live.css").startswith("/*")
    True
    """
    if name in SHARED:
        return shared_asset(name)
    return files("ngrc.serve").joinpath("assets", name).read_text(encoding="utf-8")


def index_page() -> str:
    """All series, with their state."""
    body = (
        '<main id="main"><h1>Series in service</h1>'
        f"{_BANNERS}{_LOGIN}"
        '<p id="summary" class="lead quiet" aria-live="polite">Asking the service&nbsp;…</p>'
        '<div class="scroll"><table id="series" class="series" hidden><thead><tr><th scope="col">Series</th>'
        '<th scope="col">State</th><th scope="col" class="n">Newest value</th><th scope="col">Its time</th>'
        '<th scope="col" class="n">Trailing coverage</th><th scope="col">Chance allows</th></tr></thead>'
        "<tbody></tbody></table></div></main>"
    )
    return _page("ngrc: series in service", body, root="", script="index.js")


def live_page(name: str) -> str:
    """The page of one series.

    Examples
    --------
    >>> "load.berlin" in live_page("load.berlin")
    True
    """
    tiles = "".join(
        f'<div class="tile"><dt>{words}</dt><dd id="{place}">–</dd><dd class="small" id="{place}-more"></dd></div>'
        for place, words in (
            ("value", "Newest value"),
            ("next", "Next value"),
            ("coverage", "Trailing coverage"),
            ("count", "Observations"),
        )
    )
    body = (
        '<main id="main"><p class="back"><a href="../../">All series</a></p>'
        f'<h1><span id="name">{text(name)}</span> <span id="state" class="chip" role="status">…</span></h1>'
        f"{_BANNERS}{_LOGIN}"
        f'<div id="content" hidden><dl class="tiles">{tiles}</dl>{_CONTROLS}{_BAND}{_COVERAGE}{_COMING}</div></main>'
    )
    return _page(f"{name}: live", body, root="../../", script="live.js")


_CONTROLS = (
    '<div class="controls"><label>Level <select id="level"></select></label>'
    '<label>Step <select id="step"></select></label>'
    '<label>Shown <select id="shown"><option value="60">60</option><option value="150" selected>150</option>'
    '<option value="300">300</option><option value="800">800</option></select></label></div>'
)
_BAND = (
    '<figure><h2 id="band-title">Outcomes and what was said of them</h2>'
    '<div id="band" class="drawing tall" tabindex="0" role="application" aria-labelledby="band-title" '
    'aria-describedby="band-read band-help"></div>'
    '<p id="band-read" class="readout" aria-live="polite">&nbsp;</p>'
    '<ul class="legend"><li><i class="swatch band"></i>interval of that step</li>'
    '<li><i class="swatch line"></i>its forecast</li>'
    '<li><i class="swatch inside"></i>outcome inside</li><li><i class="swatch outside"></i>outcome outside</li>'
    '<li><i class="swatch fan"></i>what is to come, all levels</li></ul>'
    '<figcaption id="band-help">Point at the drawing, or reach it by Tab and move with the arrow keys, to read '
    "numbers.</figcaption></figure>"
)
_COVERAGE = (
    '<figure><h2 id="coverage-title">Trailing coverage</h2>'
    '<div id="trail" class="drawing" role="img" aria-labelledby="coverage-title" aria-describedby="trail-help"></div>'
    '<figcaption id="trail-help"></figcaption></figure>'
)
_COMING = '<h2>What is to come</h2><div class="scroll"><table id="coming"><thead></thead><tbody></tbody></table></div>'


def _page(title: str, body: str, *, root: str, script: str) -> str:
    """A whole document; addresses are relative, so that it works behind a proxy under any path."""
    styles = "".join(
        f'<link rel="stylesheet" href="{root}assets/{name}">' for name in ("page.css", "live.css")
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{text(title)}</title>\n{styles}\n</head>\n'
        f'<body data-root="{root}">\n{SKIP}\n{THEME}\n{body}\n'
        "<noscript><p>This page is drawn by a script; the same numbers are in recent, as JSON.</p></noscript>\n"
        f'<script src="{root}assets/theme.js"></script>\n'
        f'<script type="module" src="{root}assets/{script}"></script>\n</body>\n</html>\n'
    )
