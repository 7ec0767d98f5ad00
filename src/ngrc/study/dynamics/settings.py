"""The published settings of every system: sampling, windows, delays and penalty.

From the code of Gauthier et al. (2021), github.com/quantinfo/ng-rc-paper-code, and for Mackey-Glass, which that paper
does not treat, from the code of Kleyko et al. (2025), doi:10.24433/CO.7208482.v2.
"""

from dataclasses import dataclass

THRESHOLD = 0.4
"""A free run is valid until its error exceeds this share of the attractor's size; a usual choice, printed nowhere."""
LONGEST = 15.0
"""Lyapunov times of a free run that is scored: nine of ten runs have failed by 9."""
REPS = 100
"""Windows in a full run: ten times the published ten, which a quick run takes."""


@dataclass(frozen=True, slots=True)
class Case:
    """One system to be forecast by a free run.

    Parameters
    ----------
    title, coordinates
        Its name, and those of its channels.
    spacing
        Time between two samples.
    warm
        Samples before the first fitted target of the first window.
    train
        Fitted rows of a window, and samples from one window to the next.
    lags
        Delays of every channel in samples, 1 being the newest.
    powers
        Lowest and highest degree of the products of delays, besides the delays themselves.
    constant
        Whether a constant stands among the features, penalised as they are.
    alpha
        The published penalty, of the sum of squares; ours is of their mean, alpha over `train`.
    lyapunov
        Lyapunov time.
    scored
        Lyapunov times of the published free-run score.
    shown
        Time that the phase portrait covers.
    """

    title: str
    coordinates: tuple[str, ...]
    spacing: float
    warm: int
    train: int
    lags: tuple[int, ...]
    powers: tuple[int, int]
    constant: bool
    alpha: float
    lyapunov: float
    scored: float
    shown: float

    @property
    def reach(self) -> int:
        """Samples that a row reads behind its origin."""
        return self.lags[-1] - 1

    def steps(self, lyapunov_times: float) -> int:
        """Samples in that many Lyapunov times."""
        return round(lyapunov_times * self.lyapunov / self.spacing)

    def length(self, windows: int) -> int:
        """Samples that so many windows need, the free run of the last and the portrait after the first included."""
        last = self.warm + windows * self.train + self.steps(LONGEST)
        return max(last, self.warm + self.train + round(self.shown / self.spacing))


LORENZ = Case(
    title="Lorenz63",
    coordinates=("x", "y", "z"),
    spacing=0.025,
    warm=200,
    train=400,
    lags=(1, 2),
    powers=(2, 2),
    constant=True,
    alpha=2.5e-6,
    lyapunov=1.104,
    scored=1.0,
    shown=120.0,
)
# The circuit has odd symmetry: neither a constant nor a square could belong to it.
SCROLL = Case(
    title="Double scroll",
    coordinates=("V1", "V2", "I"),
    spacing=0.25,
    warm=4,
    train=400,
    lags=(1, 2),
    powers=(3, 3),
    constant=False,
    alpha=1e-3,
    lyapunov=7.8125,
    scored=1.0,
    shown=800.0,
)
# The newest two values, and two around one half and two around the whole of the delay 17 at a spacing of 3.
MACKEY_GLASS = Case(
    title="Mackey-Glass",
    coordinates=("x",),
    spacing=3.0,
    warm=30,
    train=600,
    lags=(1, 2, 3, 4, 6, 7),
    powers=(2, 3),
    constant=True,
    alpha=1e-7,
    lyapunov=185.0,
    scored=3.0,
    shown=6000.0,
)


@dataclass(frozen=True, slots=True)
class Inference:
    """The third coordinate of Lorenz63 from the first two: x and y at t, t - s, ... give z at t.

    Parameters
    ----------
    spacing, warm, train, test
        Time between two samples; samples before the first window, of its fit and of its test.
    lags, skip
        Delays per channel, and samples between two of them.
    alpha
        The published penalty, as in `Case`.
    """

    spacing: float = 0.05
    warm: int = 100
    train: int = 400
    test: int = 900
    lags: int = 4
    skip: int = 5
    alpha: float = 0.05

    @property
    def reach(self) -> int:
        """Samples that a row reads behind its own."""
        return (self.lags - 1) * self.skip

    def length(self, windows: int) -> int:
        """Samples that so many windows need, the test of the last included."""
        return self.warm + windows * self.train + self.test


INFERENCE = Inference()
