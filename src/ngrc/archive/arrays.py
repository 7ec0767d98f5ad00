"""Arrays as `.npy` entries: numbers, truth values and times alone, no object and no pickle."""

import re
from math import prod
from typing import Literal

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive.container import ArchiveError

MAGIC = b"\x93NUMPY\x01\x00"
TYPES = re.compile(r"<[fiu][48]|[|][biu]1|<[iu]2|<[Mm]8\[[0-9]{0,4}[a-zA-Z]{1,2}\]")
"""Types of numbers that may be kept, as numpy writes them."""
HEADER = re.compile(
    rb"\{'descr': '([^']{1,20})', 'fortran_order': (True|False), 'shape': \(((?:[0-9]{1,15},? ?){0,6})\), \} *\n"
)
# What numpy aligns data to, in bytes.
ALIGNMENT = 64


def to_npy(array: AnyArray) -> bytes:
    """An array as the content of an `.npy` file; its order in memory is kept where it has one.

    Examples
    --------
    >>> from_npy(to_npy(np.array([1.0, -0.0, np.nan]))).tolist()
    [1.0, -0.0, nan]
    """
    # Byte order of the file, whatever the machine's own is.
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if not TYPES.fullmatch(array.dtype.str):
        raise ValueError(f"an array of {array.dtype} cannot be kept; give numbers, truth values or times")
    # Rows or columns: products of matrices are summed in another order, and differ in their last bits.
    columns = array.flags.f_contiguous and not array.flags.c_contiguous
    return _header(array.dtype.str, columns, array.shape) + array.tobytes("F" if columns else "C")


def from_npy(content: bytes | memoryview) -> AnyArray:
    """The array, a copy that may be changed."""
    length = len(MAGIC) + 2 + int.from_bytes(content[len(MAGIC) : len(MAGIC) + 2], "little")
    head = bytes(content[:length])
    found = HEADER.fullmatch(head[len(MAGIC) + 2 :])
    if not head.startswith(MAGIC) or not found:
        raise ArchiveError("an array in it has no header that ngrc writes")
    code, columns = found[1].decode(), found[2] == b"True"
    shape = tuple(int(size) for size in found[3].replace(b",", b" ").split())
    if not TYPES.fullmatch(code):
        raise ArchiveError(f"an array in it holds {code!r}, and not numbers, truth values or times")
    size = len(content) - length
    order: Literal["F", "C"] = "F" if columns else "C"
    try:
        dtype = np.dtype(code)
        # Before anything is allocated: a shape claims no more than there is.
        if prod(shape) * dtype.itemsize == size and _header(code, columns, shape) == head:
            return np.frombuffer(content, dtype, offset=length).reshape(shape, order=order).copy(order)
    except (TypeError, ValueError):
        pass  # a unit of time that is none, or an empty shape beyond what numpy counts
    raise ArchiveError(f"an array in it claims to be {code} of the shape {shape}, and holds {size} bytes")


def _header(code: str, columns: bool, shape: tuple[int, ...]) -> bytes:
    text = f"{{'descr': '{code}', 'fortran_order': {columns}, 'shape': {shape}, }}"
    pad = -(len(MAGIC) + 2 + len(text) + 1) % ALIGNMENT
    line = text.encode() + b" " * pad + b"\n"
    return MAGIC + len(line).to_bytes(2, "little") + line
