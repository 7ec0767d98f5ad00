"""The dual readout: ridge regression where columns outnumber rows, or where no column need be made.

With Z the n x p columns as the penalty sees them, (Z'Z/n + lambda I)^-1 Z'y/n = Z'(ZZ'/n + lambda I)^-1 y/n: the kernel
matrix K = ZZ' takes n^2 numbers whatever p is. Standardised columns are summed into it in blocks, at O(n^2 p);
of raw products it comes from power sums, at O(n^2 k) (`kernel.py`).

Digits. Rounding leaves errors e of some 1e-15 |K|/n in the eigenvalues of K/n, and a result may lose the share
e / (s + lambda), s being the smallest eigenvalue. Where that could touch the eighth digit, the kernel matrix gives way
to a QR decomposition of Z' in blocks of columns, at O(n^2 p); forecasts, and leverages of rows near the data's
directions, are refined from the columns where their own bounds ask for it, at O(n p) per row and round.
Against fifty digits, on 72 fits with lambda from 1e-9 to 1e-5, forecasts of fit rows were within 1e-10, effective
dimensions within 1e-11 and leverages within 4e-10 of theirs. New rows outside the data's directions carry the columns'
own rounding over lambda in any solver: 2e-9 at lambda = 1e-8 and 2e-8 at 1e-9. A refinement that has not settled after
four rounds, where e is near lambda and s is below both, is handed on as it is.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.dual_columns import Columns
from ngrc.readout.dual_cost import check_rows
from ngrc.readout.dual_frame import Frame, raw_frame, standardised_frame
from ngrc.readout.dual_readout import DIGITS, DualReadout, raw_products
from ngrc.readout.dual_refine import frame_triangle, refine_weights
from ngrc.readout.dual_spectrum import DualSpectrum
from ngrc.readout.refine import TOLERANCE

# In units of the series' scale: forecasts whose error might be more come from refined weights of columns.
FORECASTS = 1e-9


@dataclass(frozen=True)
class Decomposition:
    """Fit rows and the decomposition of their kernel matrix; any number of targets and penalties share it.

    Parameters
    ----------
    frame
        Fit rows and what the penalty sees of them.
    spectrum
        From the kernel matrix.
    """

    frame: Frame
    spectrum: DualSpectrum

    @classmethod
    def of(cls, columns: Columns, convention: Convention) -> "Decomposition":
        """Sum and decompose the kernel matrix of `columns`; an error where it would not fit into memory."""
        check_rows(columns.count)
        make = standardised_frame if convention.columns == "standardised" else raw_frame
        # What overflows is refused in words, where the decomposition would meet it.
        with np.errstate(over="ignore", invalid="ignore"):
            frame, kernel, size = make(columns, convention)
        return cls(frame, DualSpectrum.of_kernel(kernel, size, convention.centred))

    @cached_property
    def orthogonal(self) -> DualSpectrum:
        """From the columns themselves, at O(n^2 p): nothing is squared first. Made once, where digits call for it."""
        return DualSpectrum.of_triangle(frame_triangle(self.frame), self.frame.convention.centred)

    def precise(self, penalty: float) -> bool:
        """Whether the kernel matrix has digits enough for effective dimension and leverage at this penalty."""
        return self.spectrum.lost(penalty) <= DIGITS

    def alpha(self, spectrum: DualSpectrum, response: FloatArray, penalties: FloatArray) -> FloatArray:
        """Weights of rows, shape (n, m) for m penalties."""
        alpha = spectrum.path(response, penalties)
        # Centred, they sum to zero; rounding over the penalty would leave a sum that the raw kernel's means blow up.
        return alpha - alpha.mean(axis=0) if self.frame.convention.centred else alpha

    def response(self, target: FloatArray) -> FloatArray:
        """The target as the penalised columns see it, shape (n,): centred where they are."""
        return target - target.mean() if self.frame.convention.centred else target


def fit_dual(
    columns: Columns,
    target: FloatArray,
    penalty: float,
    convention: Convention = STANDARD,
    decomposition: Decomposition | None = None,
) -> DualReadout:
    """Fit the dual ridge readout.

    Parameters
    ----------
    columns
        Fit rows.
    target
        Their outcomes, shape (n,).
    penalty
        lambda in the normalised convention, zero or above; infinite leaves no weight but that of a free intercept.
    convention
        Which columns the penalty sees, and what becomes of the intercept.
    decomposition
        Of these rows under this convention, where it is known already.

    Examples
    --------
    >>> from ngrc.readout.dual_columns import monomial_columns
    >>> wave = np.sin(0.3 * np.arange(60))
    >>> rows = monomial_columns(np.column_stack((wave[1:-1], wave[:-2])), degree=3)
    >>> readout = fit_dual(rows, wave[2:], 1e-6, Convention(columns="raw"))
    >>> bool(abs(readout.predict(rows.part(57, 58))[0] - wave[-1]) < 1e-4)
    True
    """
    check_fit(columns, target, penalty)
    parts = Decomposition.of(columns, convention) if decomposition is None else decomposition
    precise = parts.precise(penalty)
    spectrum = parts.spectrum if precise else parts.orthogonal
    response = parts.response(target)
    alpha = parts.alpha(spectrum, response, np.array([penalty]))
    residuals, weights = spectrum.residuals(response, penalty), None
    # Without weights of columns, forecasts come from the kernel, and no column is ever made.
    rough = rounding_bounds(parts.spectrum, alpha)[0] > FORECASTS
    if convention.columns == "standardised" or rough or not precise:
        weights = column_weights(parts, spectrum, response, alpha, np.array([penalty]))
        residuals = response - parts.frame.forecasts(weights)[:, 0]
    share, mean = convention.share(penalty), float(target.mean()) if convention.centred else 0.0
    return DualReadout(
        penalty=penalty,
        intercept=mean * share - offset(parts.frame, alpha[:, 0], weights),
        count=columns.count,
        d_eff=share + spectrum.dimension(penalty),
        fit_scale=float(np.sqrt(np.mean((residuals + mean * (1.0 - share)) ** 2))),
        solver="kernel" if precise else "qr",
        intercept_penalty=convention.intercept_penalty(penalty),
        share=share,
        frame=parts.frame,
        spectrum=spectrum,
        target=target,
        alpha=alpha[:, 0],
        standardised=None if weights is None else weights[:, 0],
    )


def check_fit(columns: Columns, target: FloatArray, penalty: float) -> None:
    """Refuse what cannot be fitted."""
    if not penalty >= 0:
        raise ValueError(f"a ridge penalty must be zero or above, got {penalty!r}; give one such number")
    if target.shape != (columns.count,) or columns.count == 0:
        raise ValueError(
            f"target must have one value for each of the {columns.count} fit rows and there must be one, got shape "
            f"{target.shape}; make both from the same rows"
        )


def column_weights(
    parts: Decomposition,
    spectrum: DualSpectrum,
    response: FloatArray,
    alpha: FloatArray,
    penalties: FloatArray,
) -> FloatArray:
    """Weights of columns Z'alpha, shape (width, m), refined where rounding might show."""
    weights = parts.frame.transposed(alpha)
    weak = rounding_bounds(parts.spectrum, alpha) > TOLERANCE
    # A pseudo-inverse has no gradient to follow: outside the data's directions nothing holds the weights.
    weak &= (penalties > 0) & np.isfinite(penalties)
    if weak.any():
        refined, _ = refine_weights(parts.frame, spectrum, response, weights[:, weak], penalties[weak])
        weights[:, weak] = refined
    return weights


def rounding_bounds(spectrum: DualSpectrum, alpha: FloatArray) -> FloatArray:
    """Bound on the forecasts' RMS error from rounding in K, shape (m,): |E alpha| / sqrt(n) with |E| = n rounding."""
    return np.asarray(spectrum.rounding * np.sqrt(spectrum.count) * np.linalg.norm(alpha, axis=0))


def offset(frame: Frame, alpha: FloatArray, weights: FloatArray | None) -> float:
    """What the raw columns' forecast has above that of Z: the means' part."""
    if not frame.convention.centred:
        return 0.0
    if weights is None:
        # The weights of rows sum to zero, so that the mean row's inner products with the others are all that is left.
        return float(frame.row_means @ alpha)
    if frame.scales.size:
        return float(frame.means @ (weights[:, 0] / frame.scales))
    return float(raw_products(frame.columns, weights[:, 0]).mean())
