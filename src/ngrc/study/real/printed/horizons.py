"""What the paper prints of the horizons 1, 3 and 7."""

from ngrc.study.real.printed.table import printed_table

TABLE, RUNTIME = "tab:real_horizon_full", "tab:real_runtime_horizon"

SCORES = printed_table(
    """
ozone    1 bayes    0.993 2.047 2.083
ozone    1 split    0.963 1.573 1.795
ozone    1 adaptive 0.954 1.485 1.784
ozone    1 weighted 0.954 1.477 1.782
ozone    1 rescp    0.929 1.369 1.797
ozone    3 bayes    0.997 2.669 2.691
ozone    3 split    0.967 1.874 2.102
ozone    3 adaptive 0.957 1.778 2.083
ozone    3 weighted 0.956 1.775 2.082
ozone    3 rescp    0.953 1.761 2.102
ozone    7 bayes    0.996 2.726 2.752
ozone    7 split    0.966 1.916 2.171
ozone    7 adaptive 0.956 1.816 2.151
ozone    7 weighted 0.955 1.812 2.152
ozone    7 rescp    0.950 1.765 2.123
solar    1 bayes    0.941 0.115 0.205
solar    1 split    0.940 0.115 0.205
solar    1 adaptive 0.943 0.109 0.167
solar    1 weighted 0.857 0.113 0.176
solar    1 rescp    0.961 0.058 0.075
solar    3 bayes    0.932 0.281 0.513
solar    3 split    0.923 0.267 0.520
solar    3 adaptive 0.948 0.323 0.509
solar    3 weighted 0.949 0.326 0.509
solar    3 rescp    0.915 0.168 0.256
solar    7 bayes    0.917 0.600 1.035
solar    7 split    0.903 0.560 1.067
solar    7 adaptive 0.948 0.711 1.018
solar    7 weighted 0.947 0.698 1.014
solar    7 rescp    0.919 0.417 0.578
beijing  1 bayes    0.971 0.909 1.174
beijing  1 split    0.960 0.776 1.138
beijing  1 adaptive 0.947 0.726 1.048
beijing  1 weighted 0.936 0.677 1.030
beijing  1 rescp    0.954 0.656 0.933
beijing  3 bayes    0.962 1.851 2.622
beijing  3 split    0.961 1.856 2.645
beijing  3 adaptive 0.946 1.709 2.429
beijing  3 weighted 0.920 1.515 2.459
beijing  3 rescp    0.951 1.496 2.208
beijing  7 bayes    0.949 2.725 4.208
beijing  7 split    0.961 3.095 4.288
beijing  7 adaptive 0.944 2.748 3.790
beijing  7 weighted 0.938 2.614 3.871
beijing  7 rescp    0.953 2.436 3.322
exchange 1 bayes    0.946 3.981 6.468
exchange 1 split    0.983 5.407 6.997
exchange 1 adaptive 0.954 4.015 6.396
exchange 1 weighted 0.939 4.281 6.242
exchange 1 rescp    0.934 3.793 6.640
exchange 3 bayes    0.946 3.976 6.491
exchange 3 split    0.983 5.423 6.998
exchange 3 adaptive 0.952 4.037 6.364
exchange 3 weighted 0.938 4.274 6.830
exchange 3 rescp    0.894 3.335 7.202
exchange 7 bayes    0.947 3.980 6.490
exchange 7 split    0.983 5.423 6.999
exchange 7 adaptive 0.954 4.007 6.403
exchange 7 weighted 0.937 4.282 6.879
exchange 7 rescp    0.931 3.565 6.585
""",
    3,
    ("coverage", "width", "winkler"),
)
"""By dataset, horizon and method."""

SECONDS = printed_table(
    """
ozone    bayes      0.0125   0.0107
ozone    split      0.0003   0.0007
ozone    adaptive   6.4812   6.4685
ozone    weighted   9.5753   9.2434
ozone    rescp     22.2484  31.4085
solar    bayes      0.1008   0.0988
solar    split      0.0012   0.0012
solar    adaptive  71.8993  73.2512
solar    weighted  99.6658 100.6878
solar    rescp    126.1974 122.0124
beijing  bayes      0.0267   0.0249
beijing  split      0.0008   0.0007
beijing  adaptive  32.0766  31.9235
beijing  weighted  44.4136  45.1172
beijing  rescp    131.2923 131.9915
exchange bayes      0.0041   0.0015
exchange split      0.0002   0.0001
exchange adaptive   1.4273   1.4068
exchange weighted   1.8807   1.8806
exchange rescp      5.3240   5.4499
""",
    2,
    ("3", "7"),
)
"""Seconds by dataset and method, one column per horizon."""
