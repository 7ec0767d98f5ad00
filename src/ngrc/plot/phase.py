"""The phase diagram: where Bayesian intervals are wider than split conformal ones, and where narrower."""

from typing import Any

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.plot.canvas import axes_for
from ngrc.plot.style import styled
from ngrc.validation import check_level, check_positive

TICKS = (-100, -10, -1, 0, 1, 10, 100)


def phase(
    ridge: float,
    *,
    level: float = 0.95,
    ratios: tuple[float, float] = (0.2, 1.6),
    snrs: tuple[float, float] = (0.125, 8.0),
    points: tuple[FloatArray, FloatArray] | None = None,
    bar: bool = True,
    ax: Any = None,
) -> Any:
    """Limit of the difference of squared widths, Bayesian less split conformal, by columns per row and signal.

    Source: equation `hd_phase` of the paper, 4 z^2 lambda I2 (gamma - SNR lambda) at a noise of one; the widths agree
    on the black line, gamma = SNR lambda.

    Parameters
    ----------
    ridge
        Penalty lambda.
    level
        Nominal coverage.
    ratios, snrs
        From where to where gamma = p / n and the signal-to-noise ratio are drawn.
    points
        Pairs of gamma and signal-to-noise ratio to be marked.
    bar
        Whether the colours are explained beside the axes.
    ax
        Axes to draw into; new ones where None.

    Examples
    --------
    >>> phase(0.5).get_ylabel()
    'SNR'
    """
    check_positive(ridge, "ridge")
    gamma = np.linspace(*ratios, 141)
    signal = np.geomspace(*snrs, 121)
    with styled():
        axes = axes_for(ax, 5.0, 3.8)
        image = _image(axes, gamma, signal, ridge, check_level(level))
        axes.plot(gamma, gamma / ridge, color="black", lw=1.6)
        if points is not None:
            axes.plot(*points, "o", ms=2.5, color="black", mfc="white", mew=0.6)
        axes.set(
            yscale="log", ylim=(signal[0], signal[-1]), xlim=(gamma[0], gamma[-1]), xlabel=r"$\gamma = p/n$"
        )
        _ticks(axes, snrs)
        axes.grid(False)
        axes.set_ylabel("SNR")
        _name_sides(axes, gamma, signal, ridge)
        if bar:
            explain(axes.figure, image, axes)
    return axes


def _image(axes: Any, gamma: FloatArray, signal: FloatArray, ridge: float, level: float) -> Any:
    from matplotlib.colors import SymLogNorm

    # Imported here: commands that draw something else should not wait for it.
    from ngrc.theory import resolvent_limits

    factor = 4.0 * gaussian_radius(level) ** 2 * ridge
    scale = np.array([factor * resolvent_limits(float(ratio), ridge).I2 for ratio in gamma])
    limit = scale * (gamma - signal[:, None] * ridge)
    norm = SymLogNorm(linthresh=1.0, vmin=TICKS[0], vmax=TICKS[-1])
    return axes.pcolormesh(gamma, signal, limit, norm=norm, cmap="PuOr", shading="nearest", rasterized=True)


def explain(figure: Any, image: Any, axes: Any) -> Any:
    """The bar of colours, its ends open."""
    bar = figure.colorbar(image, ax=axes, label="limit of $W_B^2 - W_C^2$", extend="both")
    bar.set_ticks(list(TICKS), labels=[str(tick) for tick in TICKS])
    bar.minorticks_off()
    return bar


def _ticks(axes: Any, snrs: tuple[float, float]) -> None:
    powers = np.arange(np.ceil(np.log2(snrs[0])), np.floor(np.log2(snrs[1])) + 1)
    # One in two where there are many.
    shown = 2.0 ** powers[:: 1 + (powers.size > 8)]
    axes.set_yticks(shown, [f"{snr:g}" for snr in shown])
    axes.minorticks_off()


def _name_sides(axes: Any, gamma: FloatArray, signal: FloatArray, ridge: float) -> None:
    look = {"fontsize": 8, "bbox": {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1.5}}
    # Each side is named in its own corner, where the line leaves room for it.
    if gamma[-1] / ridge > signal[0]:
        axes.text(0.96, 0.05, "Bayes wider", transform=axes.transAxes, ha="right", **look)
    if gamma[-1] / ridge <= signal[-1]:
        axes.text(0.04, 0.91, "conformal wider", transform=axes.transAxes, **look)
