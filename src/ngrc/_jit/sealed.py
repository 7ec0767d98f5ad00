"""Files that tell when they were damaged: stamp, checksum, payload.

A checksum finds what unpickling would miss: one flipped bit of machine code is still a valid pickle.
"""

import os
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

SIZE = sha256().digest_size


def read_sealed(path: Path, stamp: bytes) -> bytes | None:
    """The payload; None where there is no file or it has another stamp.

    Raises
    ------
    ValueError
        Where the content is not what was written.
    OSError
        Where it cannot be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    # The checksum covers the stamp too: a flipped bit there is damage to be told, not the mark of other code.
    written, checksum, payload = content[:SIZE], content[SIZE : 2 * SIZE], content[2 * SIZE :]
    if checksum != sha256(written + payload).digest():
        raise ValueError("its checksum does not fit its content")
    return payload if written == stamp else None


def write_sealed(path: Path, stamp: bytes, payload: bytes) -> None:
    """Write whole or not at all; of several processes the last to finish wins, and all have written the same."""
    # Beside its destination, as only a rename within one file system is a single step.
    partial = path.with_name(f"{path.stem}.{uuid4().hex}.part{path.suffix}")
    try:
        with open(partial, "xb") as file:
            file.write(stamp + sha256(stamp + payload).digest() + payload)
        if path.is_dir():
            # A file cannot replace a folder. Only an empty one goes: what is inside another is not ours.
            path.rmdir()
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
