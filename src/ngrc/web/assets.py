"""Style and script, which are files of their own beside this one."""

from functools import cache
from importlib.resources import files

from ngrc._optional import load


@cache
def asset(name: str) -> str:
    """The text of a style sheet or script of this folder.

    Examples
    --------
    >>> asset("page.css").startswith("/*")
    True
    """
    return files("ngrc.web").joinpath(name).read_text(encoding="utf-8")


@cache
def plotly_script() -> str:
    """Plotly's own script, from the installed package."""
    offline = load("plotly.offline", "report", "a page with charts")
    return str(offline.get_plotlyjs())


def chart_scripts(*charts: str) -> tuple[str, ...]:
    """Every script of a page with charts of these kinds, in the order in which they run."""
    return (
        plotly_script(),
        asset("drawing.js"),
        *(asset(f"{chart}.js") for chart in charts),
        asset("start.js"),
    )
