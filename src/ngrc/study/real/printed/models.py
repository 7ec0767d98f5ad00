"""What the paper prints of four point forecasters under one ResCP layer."""

from ngrc.study.real.printed.table import printed_table

TABLE = "tab:real_rescp"

SCORES = printed_table(
    """
ozone    arima       0.359 0.941 1.439 1.834   26.190
ozone    gru         0.365 0.956 1.524 1.810   60.960
ozone    transformer 0.364 0.935 1.391 1.841  141.942
ozone    ngrc        0.360 0.929 1.369 1.797   19.390
solar    arima       0.021 0.904 0.038 0.069  156.337
solar    gru         0.020 0.894 0.041 0.070  442.007
solar    transformer 0.029 0.907 0.041 0.067 1102.612
solar    ngrc        0.031 0.961 0.058 0.075  263.522
beijing  arima       0.178 0.957 0.651 0.904  157.428
beijing  gru         0.184 0.954 0.646 0.924  160.148
beijing  transformer 0.204 0.956 0.671 0.919  351.799
beijing  ngrc        0.182 0.954 0.656 0.933  125.263
exchange arima       1.276 0.941 3.804 6.515   10.705
exchange gru         1.275 0.934 3.721 6.727    9.687
exchange transformer 1.276 0.921 3.625 6.684   24.113
exchange ngrc        1.284 0.934 3.793 6.640    5.211
""",
    2,
    ("rmse", "coverage", "width", "winkler", "seconds"),
)
"""By dataset and model; seconds from end to end."""
