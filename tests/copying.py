"""Copies of parts of the source tree that can be written where the tree itself cannot."""

import shutil
from pathlib import Path


def writable_copy(source: Path, target: Path) -> Path:
    """Copy a folder or a file, neither permissions nor bytecode; folders above it are made."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_file():
        return Path(shutil.copyfile(source, target))
    kept = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, target, ignore=kept, copy_function=shutil.copyfile)
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    return target
