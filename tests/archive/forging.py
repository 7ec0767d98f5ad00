"""Files made by hand: the right checksums around whatever a test puts inside."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from ngrc.archive import dumps
from ngrc.archive.arrays import to_npy
from ngrc.archive.container import MANIFEST, TREE, pack, unpack

Entries = dict[str, bytes]


def entries_of(value: Any) -> Entries:
    return {name: bytes(content) for name, content in unpack(dumps(value)).items()}


def sealed(entries: Entries, **manifest: Any) -> bytes:
    """A file of the entries with the checksums that they have now."""
    said = json.loads(entries[MANIFEST]) | manifest
    if "sha256" not in manifest:
        said["sha256"] = {
            name: sha256(part).hexdigest() for name, part in entries.items() if name != MANIFEST
        }
    return pack({**entries, MANIFEST: compact(said)})


def compact(tree: Any) -> bytes:
    return json.dumps(tree, separators=(",", ":")).encode()


def forged(value: Any, change: Callable[[Any], Any], **manifest: Any) -> bytes:
    """The file of a value whose tree was changed; a change that returns nothing has changed it in place."""
    entries = entries_of(value)
    tree = json.loads(entries[TREE])
    changed = change(tree)
    entries[TREE] = compact(tree if changed is None else changed)
    return sealed(entries, **manifest)


def with_array(value: Any, field: str, array: Any) -> bytes:
    """The file of a value with another array in the field of that name, wherever it stands."""
    entries = entries_of(value)
    place = _find(json.loads(entries[TREE]), field)
    entries[f"arrays/{place}.npy"] = to_npy(array)
    return sealed(entries)


def _find(tree: Any, field: str) -> int:
    found = list(_places(tree, field))
    assert found, f"no array {field}"
    return int(found[0])


def _places(tree: Any, field: str) -> Any:
    if isinstance(tree, dict):
        inside = tree.get(field)
        if isinstance(inside, dict) and isinstance(inside.get("array"), int):
            yield inside["array"]
        for part in tree.values():
            yield from _places(part, field)
    elif isinstance(tree, list):
        for part in tree:
            yield from _places(part, field)
