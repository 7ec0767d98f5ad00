"""What the paper prints of the one-step analysis."""

from ngrc.study.harness.printed import printed
from ngrc.study.real.printed.table import printed_table

MAIN, DIAGNOSTICS = "tab:real_main", "tab:real_theory_diagnostics"
DECOMPOSITION, SIZES = "tab:real_diagnostic_decomposition", "tab:real_split_sizes"

RMSE = {
    "ozone": printed("0.360"),
    "solar": printed("0.031"),
    "beijing": printed("0.182"),
    "exchange": printed("1.284"),
}

SCORES = printed_table(
    """
ozone    bayes      0.993  4.25 2.047 2.083   0.015
ozone    split      0.963  1.29 1.573 1.795  <0.001
ozone    asymmetric 0.963  1.29 1.574 1.791   0.001
ozone    adaptive   0.954  0.36 1.485 1.784   6.523
ozone    weighted   0.954  0.36 1.477 1.782   8.677
ozone    rescp      0.929 -2.13 1.369 1.797  18.831
solar    bayes      0.941 -0.94 0.115 0.205   0.115
solar    split      0.940 -0.98 0.115 0.205   0.001
solar    asymmetric 0.933 -1.70 0.112 0.209   0.002
solar    adaptive   0.943 -0.66 0.109 0.167  73.168
solar    weighted   0.857 -9.31 0.113 0.176  99.132
solar    rescp      0.961  1.08 0.058 0.075 256.402
beijing  bayes      0.971  2.10 0.909 1.174   0.025
beijing  split      0.960  1.00 0.776 1.138   0.001
beijing  asymmetric 0.960  1.05 0.775 1.138   0.001
beijing  adaptive   0.947 -0.32 0.726 1.048  32.816
beijing  weighted   0.936 -1.36 0.677 1.030  45.449
beijing  rescp      0.954  0.43 0.656 0.933 125.954
exchange bayes      0.946 -0.41 3.981 6.468   0.002
exchange split      0.983  3.35 5.407 6.997  <0.001
exchange asymmetric 0.983  3.35 5.391 6.999  <0.001
exchange adaptive   0.954  0.38 4.015 6.396   1.420
exchange weighted   0.939 -1.14 4.281 6.242   1.846
exchange rescp      0.934 -1.60 3.793 6.640   4.890
""",
    2,
    ("coverage", "error", "width", "winkler", "seconds"),
)
"""By dataset and method; the error is the coverage's in percentage points."""

DIAGNOSED = printed_table(
    """
ozone     6420 0.0394 0.0287 0.521 0.392 0.360 0.787 0.771
solar    21009 0.0338 0.0038 0.029 0.026 0.031 0.057 1.001
beijing  14016 0.0238 0.0116 0.231 0.248 0.182 0.388 0.858
exchange  3029 0.0396 0.0038 0.993 1.445 1.284 2.704 1.389
""",
    1,
    ("fit_rows", "p_over_n", "d_eff_over_n", "tau_fit", "tau_cal", "tau_test", "q_cal", "rho_q"),
)

DECOMPOSED = printed_table(
    """
ozone    1.024 0.752 0.771
solar    1.119 0.897 1.001
beijing  0.798 1.074 0.858
exchange 0.955 1.455 1.389
""",
    1,
    ("shape", "scale", "rho_q"),
)

SPLIT = printed_table(
    """
ozone    1 16071  6420  6420  3210
ozone    3 16071  6419  6419  3210
ozone    7 16071  6417  6417  3210
solar    1 52560 21009 21009 10506
solar    3 52560 21008 21008 10506
solar    7 52560 21007 21007 10504
beijing  1 35064 14016 14016  7008
beijing  3 35064 14015 14015  7008
beijing  7 35064 14013 14013  7008
exchange 1  7587  3029  3029  1515
exchange 3  7587  3028  3028  1515
exchange 7  7587  3026  3026  1515
""",
    2,
    ("observations", "fit", "calibration", "test"),
)
"""By dataset and horizon."""
