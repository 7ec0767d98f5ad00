"""The theorems as functions: named results, closed forms where they exist, assumptions in each docstring.

Conventions: `signal` is the norm s = ||w0|| and `noise` the standard deviation sigma, never their squares;
`ridge` is lambda in (S + lambda I)^-1 with S = R'R/n; `level` is the nominal coverage 1 - alpha.
"""

from ngrc.theory.adaptive import adaptive_bound
from ngrc.theory.arma import Arma, arma_from_kernel
from ngrc.theory.calibration import (
    QuantileBand,
    WidthBand,
    conformal_width_band,
    dkw_radius,
    quantile_stability,
)
from ngrc.theory.diffuse import (
    ConcentrationBound,
    KolmogorovBound,
    concentration_bound,
    diffuseness,
    kolmogorov_bound,
    random_effects,
)
from ngrc.theory.euler import euler_amplification, euler_step_bound
from ngrc.theory.fixed import (
    DimensionCorrection,
    FixedDimension,
    effective_dimension_correction,
    fixed_dimension,
)
from ngrc.theory.fluctuation import ErrorVariance, direction_bound, error_variance
from ngrc.theory.laws import (
    CentredExponential,
    Empirical,
    Gaussian,
    Laplace,
    ResidualLaw,
    StudentT,
    residual_law,
)
from ngrc.theory.mixing import (
    Separation,
    TransferBound,
    beta_mixing_ar1,
    beta_mixing_ar1_asymptotic,
    exponential_separation,
    required_separation,
    sample_cost,
    transfer_bound,
)
from ngrc.theory.noise import NoiseScale, noise_scale, noise_scale_of
from ngrc.theory.proportional import (
    Phase,
    ResolventLimits,
    limiting_risk,
    limiting_risk_derivative,
    limiting_training_scale,
    optimal_ridge,
    phase,
    resolvent_limits,
)
from ngrc.theory.quadratic import quadratic_map, smat, split_direction, svec
from ngrc.theory.residuals import RidgeResiduals
from ngrc.theory.ridgeless import Ridgeless, ridgeless
from ngrc.theory.spectrum import DesignSpectrum, effective_dimension, spectrum
from ngrc.theory.traces import Decomposition, TrainingScale, Widths, decompose, training_scale

__all__ = [
    "Arma",
    "CentredExponential",
    "ConcentrationBound",
    "Decomposition",
    "DesignSpectrum",
    "DimensionCorrection",
    "Empirical",
    "ErrorVariance",
    "FixedDimension",
    "Gaussian",
    "KolmogorovBound",
    "Laplace",
    "NoiseScale",
    "Phase",
    "QuantileBand",
    "ResidualLaw",
    "ResolventLimits",
    "RidgeResiduals",
    "Ridgeless",
    "Separation",
    "StudentT",
    "TrainingScale",
    "TransferBound",
    "WidthBand",
    "Widths",
    "adaptive_bound",
    "arma_from_kernel",
    "beta_mixing_ar1",
    "beta_mixing_ar1_asymptotic",
    "concentration_bound",
    "conformal_width_band",
    "decompose",
    "diffuseness",
    "direction_bound",
    "dkw_radius",
    "effective_dimension",
    "effective_dimension_correction",
    "error_variance",
    "euler_amplification",
    "euler_step_bound",
    "exponential_separation",
    "fixed_dimension",
    "kolmogorov_bound",
    "limiting_risk",
    "limiting_risk_derivative",
    "limiting_training_scale",
    "noise_scale",
    "noise_scale_of",
    "optimal_ridge",
    "phase",
    "quadratic_map",
    "quantile_stability",
    "random_effects",
    "required_separation",
    "residual_law",
    "resolvent_limits",
    "ridgeless",
    "sample_cost",
    "smat",
    "spectrum",
    "split_direction",
    "svec",
    "training_scale",
    "transfer_bound",
]
