"""What the paper prints of six feature constructions."""

from ngrc.study.real.printed.table import printed_table

TABLE = "tab:real_feature_uq_ablation"
COLUMNS = (
    "rmse",
    "bayes_coverage",
    "bayes_width",
    "bayes_winkler",
    "split_coverage",
    "split_width",
    "split_winkler",
)

SCORES = printed_table(
    """
ozone    linear    0.357 0.993 2.098 2.132 0.964 1.583 1.806
ozone    quadratic 0.360 0.993 2.047 2.083 0.963 1.573 1.795
ozone    short     0.360 0.993 2.047 2.082 0.963 1.574 1.796
ozone    medium    0.360 0.993 2.047 2.082 0.963 1.572 1.795
ozone    long      0.355 0.992 2.040 2.079 0.963 1.555 1.783
ozone    multi     0.354 0.992 2.036 2.076 0.962 1.558 1.783
solar    linear    0.033 0.936 0.120 0.227 0.933 0.116 0.228
solar    quadratic 0.031 0.941 0.115 0.205 0.940 0.115 0.205
solar    short     0.031 0.941 0.114 0.205 0.940 0.114 0.205
solar    medium    0.031 0.941 0.115 0.205 0.940 0.114 0.205
solar    long      0.031 0.941 0.115 0.205 0.940 0.114 0.205
solar    multi     0.031 0.941 0.114 0.205 0.940 0.114 0.205
beijing  linear    0.179 0.973 0.931 1.185 0.958 0.751 1.126
beijing  quadratic 0.182 0.971 0.909 1.174 0.960 0.776 1.138
beijing  short     0.182 0.971 0.909 1.174 0.960 0.775 1.138
beijing  medium    0.182 0.971 0.909 1.174 0.960 0.773 1.137
beijing  long      0.182 0.971 0.909 1.174 0.960 0.772 1.137
beijing  multi     0.182 0.971 0.909 1.174 0.960 0.773 1.137
exchange linear    1.276 0.948 3.912 6.401 0.983 5.405 6.983
exchange quadratic 1.284 0.946 3.981 6.468 0.983 5.407 6.997
exchange short     1.284 0.946 3.981 6.466 0.983 5.404 6.994
exchange medium    1.284 0.946 3.981 6.467 0.983 5.407 6.997
exchange long      1.284 0.946 3.981 6.467 0.983 5.403 6.994
exchange multi     1.283 0.946 3.980 6.466 0.983 5.405 6.994
""",
    2,
    COLUMNS,
)
"""By dataset and features."""
