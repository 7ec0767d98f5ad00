"""The frame and style sheet of every page: light, responsive, no script, nothing loaded."""

from html import escape

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  color: #1d1d1f; background: #fff; max-width: 68rem; margin: 0 auto; padding: 1.5rem 1.2rem 4rem; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: .4rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p, li { max-width: 46rem; }
.lead { font-size: 1.05rem; }
a { color: #005a9c; }
figure { margin: 1.6rem 0; }
figure img { width: 100%; min-width: 40rem; height: auto; display: block; }
figcaption { color: #555; font-size: .92rem; max-width: 46rem; margin-top: .4rem; }
.scroll { overflow-x: auto; margin-top: .5rem; }
table { border-collapse: collapse; font-size: .84rem; }
th, td { padding: .28rem .6rem; text-align: left; border-bottom: 1px solid #e4e4e7; vertical-align: top; }
th { border-bottom: 2px solid #9ca3af; white-space: nowrap; background: #fafafa; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.s { white-space: nowrap; }
summary { cursor: pointer; color: #005a9c; font-size: .92rem; }
.badge { display: inline-block; padding: .1rem .55rem; border: 1px solid; border-radius: .8rem;
  font-size: .85rem; }
.badge.match { background: #e6f2fa; border-color: #0072b2; color: #00466e; }
.badge.within { background: #e5f5ef; border-color: #009e73; color: #00543d; }
.badge.different { background: #fdebdd; border-color: #d55e00; color: #8a3b00; font-weight: 600; }
.badge.not-comparable { background: #f4f4f5; border-color: #9ca3af; color: #52525b; }
tr.different td { background: #fdebdd; }
tr.not-comparable td { color: #6b7280; }
.index { list-style: none; padding: 0; }
.index li { border-bottom: 1px solid #e4e4e7; padding: .8rem 0; max-width: none; }
.index a { text-decoration: none; }
.badges { margin: .4rem 0; }
.kind { display: inline-block; min-width: 11rem; font-size: .9rem; color: #444; }
.foot { color: #555; font-size: .9rem; margin-top: 3rem; }
@media print { details { display: none; } body { padding: 0; } }
"""

GENERATOR = '<meta name="generator" content="ngrc reproduce">'
"""Says where a page is from; what proves it ours is a hash, in the marker beside it or in this line of the index."""


def document(title: str, body: str) -> str:
    """A complete HTML document."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{GENERATOR}\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
