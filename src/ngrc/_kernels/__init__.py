"""The compiled kernels, built from `src/kernels` into `_extension`; a stub per group describes them to mypy."""

import struct
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

GROUPS = ("auto", "distributions", "intervals", "local", "models", "order", "rescp")
REMEDY = "install ngrc again: pip install --force-reinstall ngrc, or make -B .venv/.kernels in a clone"


def _check_whole(path: Path) -> None:
    """Refuse an ELF file that was cut short: the loader would map what is not there, and the process would die."""
    with path.open("rb") as file:
        head = file.read(64)
    if head[:5] == b"\x7fELF\x02" and len(head) == 64:
        sections, (size, count) = struct.unpack_from("=Q", head, 40)[0], struct.unpack_from("=HH", head, 58)
        if path.stat().st_size < sections + size * count:
            raise ImportError(f"{path} was cut short")


try:
    found = find_spec(f"{__name__}._extension")
    if found is None or found.origin is None:
        raise ImportError(f"there is none for this interpreter in {Path(__file__).parent}")
    _check_whole(Path(found.origin))
    _extension = import_module(found.name)
except ImportError as error:
    raise ImportError(f"the compiled extension of ngrc cannot be loaded: {error}; {REMEDY}") from error

# So that `from ngrc._kernels.order import ...` finds them.
for group in GROUPS:
    sys.modules[f"{__name__}.{group}"] = getattr(_extension, group)
