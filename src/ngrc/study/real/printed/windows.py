"""What the paper prints of the three shifted windows: means and standard deviations."""

from ngrc.study.harness.printed import printed
from ngrc.study.real.printed.table import printed_table

TABLE = "tab:real_rolling"

RMSE = {
    "ozone": printed("0.383±0.003"),
    "solar": printed("0.034±0.008"),
    "beijing": printed("0.203±0.028"),
    "exchange": printed("1.318±0.268"),
}

SCORES = printed_table(
    """
ozone    bayes      0.981±0.006 1.927±0.123 2.054±0.087
ozone    split      0.959±0.008 1.639±0.057 1.929±0.008
ozone    asymmetric 0.958±0.006 1.630±0.047 1.927±0.011
ozone    adaptive   0.953±0.001 1.587±0.005 1.921±0.011
ozone    weighted   0.953±0.001 1.586±0.002 1.921±0.011
ozone    rescp      0.947±0.005 1.542±0.032 1.936±0.010
solar    bayes      0.905±0.064 0.111±0.004 0.233±0.081
solar    split      0.920±0.038 0.117±0.007 0.221±0.061
solar    asymmetric 0.922±0.030 0.116±0.008 0.217±0.055
solar    adaptive   0.943±0.003 0.119±0.022 0.168±0.009
solar    weighted   0.875±0.015 0.123±0.026 0.182±0.032
solar    rescp      0.922±0.025 0.057±0.006 0.086±0.005
beijing  bayes      0.970±0.003 0.879±0.046 1.260±0.127
beijing  split      0.953±0.007 0.723±0.097 1.239±0.157
beijing  asymmetric 0.953±0.007 0.723±0.101 1.239±0.158
beijing  adaptive   0.945±0.000 0.711±0.027 1.059±0.075
beijing  weighted   0.936±0.002 0.684±0.047 1.073±0.103
beijing  rescp      0.948±0.007 0.614±0.013 0.966±0.097
exchange bayes      0.930±0.062 4.106±0.124 7.653±2.801
exchange split      0.957±0.060 5.416±0.814 8.276±2.010
exchange asymmetric 0.956±0.059 5.415±0.823 8.280±1.993
exchange adaptive   0.951±0.011 4.780±1.606 6.997±1.948
exchange weighted   0.946±0.003 4.591±1.468 6.541±1.548
exchange rescp      0.925±0.050 4.168±0.865 7.355±2.268
""",
    2,
    ("coverage", "width", "winkler"),
)
"""By dataset and method."""
