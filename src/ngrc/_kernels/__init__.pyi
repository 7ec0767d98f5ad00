"""The compiled extension, built from `src/kernels`; these files describe it to type checkers."""

from ngrc._kernels import order as order
from ngrc._kernels import intervals as intervals
from ngrc._kernels import local as local
from ngrc._kernels import auto as auto
from ngrc._kernels import rescp as rescp
from ngrc._kernels import models as models
