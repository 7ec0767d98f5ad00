"""The critical-difference figure: mean ranks on a line, methods that do not differ joined by a bar."""

import io
from collections.abc import Mapping

from accuracy.methods import OURS
from accuracy.ranks import Ranking


def critical_difference_figure(rankings: Mapping[str, Ranking]) -> str:
    """One panel per ranking, as an SVG to stand inside a page."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    # Letters as text, so that the page can be searched; fixed names inside, so that a run gives the same file.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "accuracy", "font.size": 9}):
        figure, axes = plt.subplots(len(rankings), 1, figsize=(8, 2.9 * len(rankings)), squeeze=False)
        for axis, (title, one) in zip(axes[:, 0], rankings.items(), strict=True):
            _panel(axis, title, one)
        figure.tight_layout()
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
        plt.close(figure)
    text = file.getvalue()
    return text[text.index("<svg") :]


def _panel(axis: "object", title: str, one: Ranking) -> None:
    from matplotlib.axes import Axes

    assert isinstance(axis, Axes)
    count = len(one.methods)
    half = (count + 1) // 2
    axis.set_title(
        f"{title}: {one.cases} cases, critical difference {one.critical:.2f}", loc="left", fontsize=9
    )
    axis.set_xlim(0.5, count + 0.5)
    axis.set_ylim(-half - 1.2, 1.4)
    axis.axis("off")
    axis.plot([1, count], [0, 0], color="black", linewidth=1)
    for tick in range(1, count + 1):
        axis.plot([tick, tick], [0, 0.12], color="black", linewidth=1)
        axis.text(tick, 0.2, str(tick), ha="center")
    axis.plot([1, 1 + one.critical], [1.0, 1.0], color="black", linewidth=2)
    for place, (name, rank) in enumerate(zip(one.methods, one.ranks, strict=True)):
        left = place < half
        height = -1.0 - (place if left else count - 1 - place)
        edge = 0.9 if left else count + 0.1
        colour = "tab:red" if name == OURS else "black"
        axis.plot([rank, rank, edge], [0, height, height], color=colour, linewidth=0.8)
        words = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
        axis.text(edge, height, words, ha="right" if left else "left", va="center", color=colour)
    for step, (first, last) in enumerate(one.together()):
        level = -0.25 - 0.18 * (step % 4)
        ends = [one.ranks[first] - 0.04, one.ranks[last] + 0.04]
        axis.plot(ends, [level, level], color="tab:blue", linewidth=3, solid_capstyle="butt")
