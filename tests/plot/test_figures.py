"""Every kind of figure: axes in, axes out, what is drawn is what was given, and nothing is cut off or covered."""

from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import ConciseDateFormatter
from matplotlib.figure import Figure

import ngrc
from ngrc.intervals import METHODS as ALL_METHODS
from ngrc.plot.looks import LOOKS, METHOD_LOOKS, looks_of
from ngrc.plot.style import SETTINGS

matplotlib.use("Agg")

SIZE = 240
RNG = np.random.default_rng(0)
OUTCOMES = RNG.normal(size=SIZE)
HALF = 1.0 + RNG.random(SIZE)
TIMES = np.datetime64("2024-03-01T00", "h") + np.arange(SIZE)
BANDS = {0.8: (-HALF, HALF), 0.95: (-2 * HALF, 2 * HALF)}
METHODS = ("bayes", "split", "adaptive", "weighted", "rescp", "auto", "pid", "dtaci")
ENDS = {
    name: (-scale * HALF, scale * HALF) for name, scale in zip(METHODS, np.linspace(0.4, 2, 8), strict=True)
}

Draw = Callable[..., Any]
KINDS: dict[str, Draw] = {
    "band": lambda **more: ngrc.plot.band(np.zeros(SIZE), BANDS, x=TIMES, observed=OUTCOMES, **more),
    "a fan": lambda **more: ngrc.plot.band(
        np.zeros(24), {0.9: (-np.ones(24), np.ones(24))}, past=(np.arange(-50, 0), OUTCOMES[:50]), **more
    ),
    "coverage": lambda **more: ngrc.plot.coverage(OUTCOMES, ENDS, 0.9, window=60, x=TIMES, **more),
    "calibration": lambda **more: ngrc.plot.calibration(
        [0.5, 0.8, 0.95], {name: [0.45, 0.8, 0.93] for name in METHODS}, **more
    ),
    "efficiency": lambda **more: ngrc.plot.efficiency(
        dict(zip(METHODS, np.linspace(-5, 5, 8), strict=True)),
        dict(zip(METHODS, np.arange(1.0, 9.0), strict=True)),
        **more,
    ),
    "phase": lambda **more: ngrc.plot.phase(0.5, **more),
}  # fmt: skip
EVERY = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    # Those that other tests left open count as well.
    pyplot.close("all")
    yield
    pyplot.close("all")


@EVERY
def test_axes_in_axes_out(kind: str) -> None:
    axes = Figure().subplots()
    assert KINDS[kind](ax=axes) is axes
    assert pyplot.get_fignums() == []
    new = KINDS[kind]()
    assert pyplot.get_fignums() == [new.figure.number]


@EVERY
def test_no_setting_of_the_user_is_changed(kind: str) -> None:
    before = dict(matplotlib.rcParams)
    KINDS[kind]()
    assert dict(matplotlib.rcParams) == before


@EVERY
def test_both_axes_are_labelled(kind: str) -> None:
    axes = KINDS[kind]()
    assert axes.get_xlabel()
    assert axes.get_ylabel()


@EVERY
@pytest.mark.parametrize("size", [(3.2, 2.8), (5.0, 3.6), (12.0, 7.0)])
def test_nothing_is_cut_off_small_or_large(kind: str, size: tuple[float, float]) -> None:
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=size, layout="constrained")
        axes = KINDS[kind](ax=figure.subplots())
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    frame = figure.bbox
    texts = [axes.xaxis.label, axes.yaxis.label, axes.title, axes._left_title]
    legend = axes.get_legend()
    boxes = [text.get_window_extent(renderer) for text in texts if text.get_text()]
    boxes += [] if legend is None else [legend.get_window_extent(renderer)]
    # To within the margin of a legend, one hundredth of the smallest figure: the layout is found by repetition.
    for box in boxes:
        assert box.x0 >= frame.x0 - 4
        assert box.y0 >= frame.y0 - 4
        assert box.x1 <= frame.x1 + 4
        assert box.y1 <= frame.y1 + 4
    # The legend covers neither the label of the axis nor anything that is drawn.
    if legend is not None:
        covered = legend.get_window_extent(renderer)
        label = axes.xaxis.label.get_window_extent(renderer)
        assert covered.y1 <= label.y0 + 2 or covered.y0 >= label.y1
        tops = [
            line.get_window_extent(renderer).y1 for line in axes.get_lines() if line.get_label()[0] != "_"
        ]
        assert covered.y0 >= max(tops) - 2 or covered.y1 <= axes.bbox.y0


def test_a_band_holds_what_it_was_given() -> None:
    axes = KINDS["band"]()
    _, labels = axes.get_legend_handles_labels()
    assert labels == ["95 % interval", "80 % interval", "forecast", "observed"]
    wide, narrow = (one.get_paths()[0].vertices[:, 1] for one in axes.collections)
    assert wide.max() == pytest.approx(2 * HALF.max())
    assert narrow.max() == pytest.approx(HALF.max())
    assert np.array_equal(axes.get_lines()[1].get_ydata(), OUTCOMES)


def test_an_unbounded_interval_reaches_as_far_as_the_others_and_one_alone_is_a_bar() -> None:
    lower, upper = -HALF.copy(), HALF.copy()
    lower[3], upper[3] = -np.inf, np.inf
    axes = ngrc.plot.band(np.zeros(SIZE), {0.9: (lower, upper)})
    drawn = axes.collections[0].get_paths()[0].vertices
    assert np.all(np.isfinite(drawn))
    assert drawn[:, 1].max() == pytest.approx(HALF.max())
    one = ngrc.plot.band(np.zeros(1), {0.9: (np.array([-1.0]), np.array([2.0]))})
    assert one.collections[0].get_segments()[0][:, 1].tolist() == [-1.0, 2.0]
    none = ngrc.plot.band(np.zeros(2), {0.9: (np.full(2, -np.inf), np.full(2, np.inf))})
    assert np.all(np.isfinite(none.collections[0].get_paths()[0].vertices))


def test_trailing_coverage_is_that_of_the_window() -> None:
    axes = KINDS["coverage"]()
    curve = axes.get_lines()[0].get_ydata()
    inside = (ENDS["bayes"][0] <= OUTCOMES) & (ENDS["bayes"][1] >= OUTCOMES)
    assert np.all(np.isnan(curve[:59]))
    assert curve[59] == pytest.approx(inside[:60].mean())
    assert curve[-1] == pytest.approx(inside[-60:].mean())
    assert axes.get_lines()[len(METHODS)].get_ydata()[0] == 0.9


def test_levels_are_drawn_in_order() -> None:
    axes = ngrc.plot.calibration([0.95, 0.5], {"split": [0.9, 0.4]})
    line = axes.get_lines()[1]
    assert line.get_xdata().tolist() == [0.5, 0.95]
    assert line.get_ydata().tolist() == [0.4, 0.9]


def test_the_boundary_of_the_phases_is_where_the_widths_agree() -> None:
    axes = ngrc.plot.phase(0.5, bar=False)
    gamma, snr = axes.get_lines()[0].get_data()
    np.testing.assert_allclose(snr, gamma / 0.5)
    image = axes.collections[0].get_array()
    # Above the line the limit is negative, below it positive.
    assert image[-1, 0] < 0 < image[0, -1]


SPANS = ["1s", "7s", "50s", "1min", "10min", "45min", "1h", "2h", "6h", "1D", "7D", "30D", "365D"]


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize("width", [3.0, 8.0])
def test_times_of_any_spacing_have_few_ticks_and_no_warning(span: str, width: float) -> None:
    for count in (2, 5, 30, 100, 400):
        figure = Figure(figsize=(width, 3.0))
        times = np.datetime64("2021-03-05T07:30:11") + np.arange(count) * pd.Timedelta(span).to_timedelta64()
        axes = ngrc.plot.band(np.zeros(count), {}, x=times, ax=figure.subplots())
        assert isinstance(axes.xaxis.get_major_formatter(), ConciseDateFormatter)
        assert axes.get_xlabel() == "time"
        assert 1 <= len(axes.get_xticks()) <= 14


def test_methods_are_told_apart_by_more_than_colour() -> None:
    assert set(METHOD_LOOKS) == set(ALL_METHODS)
    looks = list(METHOD_LOOKS.values())
    assert len({look.marker for look in looks}) == len(looks)
    assert len({(look.color, str(look.linestyle)) for look in looks}) == len(looks)
    # A grey print: lines alike are of colours that differ in it.
    assert len({look.marker for look in LOOKS}) == len(LOOKS)
    assert looks_of(["mine", "split"])["mine"] == LOOKS[0]
    assert looks_of(["split"], {"split": LOOKS[3]})["split"] == LOOKS[3]


WRONG: list[tuple[Draw, str]] = [
    (lambda: ngrc.plot.band(np.zeros(5), {}, x=np.arange(4)), "one entry per value, 5 in all"),
    (
        lambda: ngrc.plot.coverage(OUTCOMES, ENDS, 0.9, window=500),
        "a window of 500 outcomes needs as many, got 240",
    ),
    (lambda: ngrc.plot.coverage(OUTCOMES, ENDS, 1.5), "level"),
    (lambda: ngrc.plot.calibration([0.5, 0.8], {"split": [0.5]}), "split has 1 shares for 2 levels"),
    (
        lambda: ngrc.plot.efficiency({"split": 1.0}, {"bayes": 1.0}),
        "bayes has an error or a cost and not both",
    ),
    (lambda: ngrc.plot.phase(-1.0), "ridge"),
]


@pytest.mark.parametrize(("call", "words"), WRONG)
def test_what_does_not_fit_is_refused(call: Draw, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
    assert pyplot.get_fignums() == []


def test_without_matplotlib_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'a figure needs matplotlib.* pip install "ngrc\[plot\]"'):
        ngrc.plot.band(np.zeros(3), {})


def test_outcomes_that_never_came_count_neither_inside_nor_outside() -> None:
    outcomes = OUTCOMES.copy()
    outcomes[::7] = np.nan
    came = ~np.isnan(outcomes)
    drawn = ngrc.plot.coverage(outcomes, {"split": (-HALF, HALF)}, 0.9, window=60, x=TIMES)
    alone = ngrc.plot.coverage(outcomes[came], {"split": (-HALF[came], HALF[came])}, 0.9, window=60)
    assert np.array_equal(drawn.lines[0].get_ydata(), alone.lines[0].get_ydata(), equal_nan=True)
    assert len(drawn.lines[0].get_xdata()) == came.sum()
    with pytest.raises(ValueError, match=f"needs as many, got {came.sum()}"):
        ngrc.plot.coverage(outcomes, {"split": (-HALF, HALF)}, 0.9, window=SIZE)
