"""What the paper prints of ResCP over five seeds: means and standard deviations, least and largest coverage."""

from ngrc.study.real.printed.table import printed_table

TABLE = "tab:real_rescp_seed_sensitivity"
PAPER_SEEDS = 5

SCORES = printed_table(
    """
ozone    1 0.933±0.003 0.929 0.936 1.375±0.006 1.818±0.017
ozone    3 0.954±0.001 0.953 0.955 1.755±0.012 2.095±0.006
ozone    7 0.952±0.001 0.950 0.953 1.772±0.008 2.111±0.012
solar    1 0.960±0.003 0.955 0.963 0.059±0.001 0.078±0.002
solar    3 0.928±0.010 0.915 0.937 0.183±0.012 0.258±0.009
solar    7 0.928±0.009 0.919 0.936 0.419±0.008 0.576±0.010
beijing  1 0.954±0.004 0.947 0.958 0.648±0.024 0.933±0.011
beijing  3 0.954±0.005 0.948 0.960 1.532±0.062 2.146±0.056
beijing  7 0.957±0.003 0.953 0.961 2.525±0.081 3.339±0.060
exchange 1 0.937±0.003 0.934 0.941 3.830±0.070 6.654±0.037
exchange 3 0.891±0.005 0.884 0.898 3.408±0.083 7.233±0.213
exchange 7 0.932±0.004 0.927 0.937 3.654±0.054 6.587±0.100
""",
    2,
    ("coverage", "least", "largest", "width", "winkler"),
)
"""By dataset and horizon."""
