"""Where Spark is, its workers run this interpreter, and not the first one on the path."""

import os
import sys

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
