"""The extension `ngrc._kernels`: its stubs, what it takes and refuses, who owns results, and the interpreter lock."""

import ast
import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

import ngrc
from ngrc import _kernels
from ngrc._kernels import models, order
from ngrc._types import AnyArray, FloatArray
from tests.copying import writable_copy

STUBS = Path(ngrc.__file__).parent / "_kernels"
GROUPS = sorted(path.stem for path in STUBS.glob("*.pyi"))
PLAIN = {"int", "float", "bool", "str", "None"}
"""Types that stub and extension write alike; arrays have more precise names in the stub."""

Signature = tuple[tuple[str, str], ...]


def signature(node: ast.FunctionDef) -> Signature:
    """Names and types of the arguments in their order, then of the result."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    types = [ast.unparse(one.annotation) if one.annotation else "" for one in arguments]
    result = ast.unparse(node.returns) if node.returns else ""
    return (*((one.arg, kind) for one, kind in zip(arguments, types, strict=True)), ("return", result))


def stub_of(group: str) -> tuple[dict[str, list[Signature]], dict[str, str]]:
    """Functions of a stub with their signatures, and constants with their types."""
    functions: dict[str, list[Signature]] = {}
    constants: dict[str, str] = {}
    for node in ast.parse((STUBS / f"{group}.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append(signature(node))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is None:
            constants[node.target.id] = ast.unparse(node.annotation)
    return functions, constants


def bound(group: str) -> Iterator[tuple[str, Any]]:
    """What the extension binds in a group."""
    module = sys.modules[f"ngrc._kernels.{group}"]
    return ((name, getattr(module, name)) for name in dir(module) if not name.startswith("__"))


def bound_signatures(function: Any) -> list[Signature]:
    """One per overload."""
    nodes = [ast.parse(f"{text}: ...").body[0] for text, *_ in function.__nb_signature__]
    return [signature(node) for node in nodes if isinstance(node, ast.FunctionDef)]


def test_every_group_has_a_stub() -> None:
    bound_groups = [name for name in dir(_kernels._extension) if not name.startswith("__")]
    assert GROUPS == sorted(_kernels.GROUPS) == sorted(bound_groups)


@pytest.mark.parametrize("group", GROUPS)
def test_a_stub_names_what_is_bound(group: str) -> None:
    functions, constants = stub_of(group)
    values = dict(bound(group))
    assert sorted([*functions, *constants]) == sorted(values)
    for name, kind in constants.items():
        assert not callable(values[name])
        assert kind not in PLAIN or type(values[name]).__name__ == kind, name
    for name, written in functions.items():
        overloads = bound_signatures(values[name])
        for ours in written:
            for theirs in overloads:
                assert [one for one, _ in ours] == [one for one, _ in theirs], name
        # Overloads of one stub may differ in a number's type, and nothing else.
        for position, (argument, _) in enumerate(overloads[0]):
            kinds = {theirs[position][1] for theirs in overloads}
            said = {ours[position][1] for ours in written}
            assert len(kinds) > 1 or not kinds <= PLAIN or said == kinds, f"{name}: {argument}"


def strided(array: AnyArray) -> AnyArray:
    """The same numbers with gaps between them along the last axis."""
    wide = np.repeat(array, 2, axis=-1)
    return wide[..., ::2]


def misaligned(array: AnyArray) -> AnyArray:
    """The same numbers one byte off."""
    raw = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:]
    moved = raw.view(array.dtype).reshape(array.shape)
    moved[...] = array
    return moved


def read_only(array: AnyArray) -> AnyArray:
    fixed = array.copy()
    fixed.flags.writeable = False
    return fixed


CONTENT: dict[str, Callable[[AnyArray], AnyArray]] = {
    "read-only": read_only,
    "strided": strided,
    "reversed": lambda array: array[..., ::-1].copy()[..., ::-1],
    "misaligned": misaligned,
    "swapped": lambda array: array.astype(array.dtype.newbyteorder("S")),
}
"""Ways to hold the same numbers that a kernel may read and not write."""
OTHERS: dict[str, Callable[[AnyArray], Any]] = {
    "narrow": lambda array: array.astype(np.float32 if array.dtype.kind == "f" else np.int16),
    "other kind": lambda array: array.astype(np.int64 if array.dtype.kind == "f" else np.float64),
    "other sign": lambda array: array.astype(np.uint32),
    "an axis more": lambda array: array[None],
    "no axis": lambda array: array.ravel()[0],
    "a list": lambda array: array.tolist(),
    "nothing": lambda array: None,
}


def blocks_table() -> FloatArray:
    """An empty table of sorted blocks with places for four scores each."""
    table = np.zeros((5, 3 + 2 * 4))
    table[0, order.BLOCKS_USED], table[0, order.BLOCKS_ORDER] = 1.0, 1.0
    return table


WRITERS: dict[str, tuple[Callable[[], AnyArray], Callable[[Any], object]]] = {
    "vector of floats": (lambda: np.zeros(8), lambda state: order.sums_push(state, 1.0)),
    "matrix of floats": (blocks_table, lambda table: order.blocks_insert(table, 1.0, 1.0)),
    "words": (
        lambda: np.zeros(3, dtype=np.uint64),
        lambda words: order.bits_fill(words, np.zeros(4, dtype=np.int32), 70),
    ),
    "counts": (
        lambda: np.zeros(4, dtype=np.int32),
        lambda tree: order.bits_fill(np.zeros(3, dtype=np.uint64), tree, 70),
    ),
    "result": (
        lambda: np.zeros((2, 3)),
        lambda total: models.moments_merged(
            np.ones(2), np.ones(3), 0.5, np.ones((2, 3)), 0.5, np.ones((2, 3)), total
        ),
    ),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_an_array_that_fits_is_written(writer: str) -> None:
    made, call = WRITERS[writer]
    array = made()
    call(array)
    assert not np.array_equal(array, made())


@pytest.mark.parametrize("held", [*CONTENT, *OTHERS])
@pytest.mark.parametrize("writer", WRITERS)
def test_an_array_to_write_that_does_not_fit_is_refused(writer: str, held: str) -> None:
    made, call = WRITERS[writer]
    array = (CONTENT | OTHERS)[held](made())
    before = np.array(array).tolist()
    with pytest.raises(TypeError, match="incompatible function arguments"):
        call(array)
    assert np.array(array).tolist() == before


def test_a_matrix_by_columns_is_refused_for_writing() -> None:
    total = np.zeros((2, 3), order="F")
    with pytest.raises(TypeError, match="incompatible function arguments"):
        WRITERS["result"][1](total)
    assert not total.any()


def test_a_refusal_of_one_argument_leaves_the_others() -> None:
    words, tree = np.zeros(3, dtype=np.uint64), np.zeros(4, dtype=np.int64)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        order.bits_fill(words, tree, 70)  # type: ignore[arg-type]
    assert not words.any()


@pytest.mark.parametrize("held", [*CONTENT, "narrow", "by columns"])
def test_what_is_read_may_be_held_in_any_way(held: str) -> None:
    hold: Callable[[AnyArray], AnyArray] = (CONTENT | OTHERS | {"by columns": np.asfortranarray})[held]
    rng = np.random.default_rng(1)
    # Whole numbers are the same in a narrow type.
    band, penalties = np.full((5, 9), 9.0), np.array([1.0, 2.0])
    band[:, :8] = 0.0
    rights = rng.integers(-9, 10, (5, 2)).astype(float)
    positions = rng.permutation(40)
    given = [band, np.empty((0, 8)), np.empty((0, 8)), rights, penalties]
    changed = [hold(one) for one in given]
    kept = [one.tolist() for one in changed]
    np.testing.assert_array_equal(models.banded_solutions(*changed), models.banded_solutions(*given))
    np.testing.assert_array_equal(
        order.sliding_select(hold(positions), 7, 3), order.sliding_select(positions, 7, 3)
    )
    assert [one.tolist() for one in changed] == kept


def test_whole_numbers_are_read_as_floats_and_nothing_is_lost() -> None:
    means, variances = np.array([1, 2]), np.array([4, 9])
    assert models.column_scales(means, variances).tolist() == [2.0, 3.0]
    for lossy in (np.array([1.0 + 0j, 2.0]), np.array([1.0, 2.0], dtype=np.longdouble), np.array(["1", "2"])):
        if np.can_cast(lossy.dtype, np.float64):  # a long double is a double on some systems
            continue
        with pytest.raises(TypeError, match="incompatible function arguments"):
            models.column_scales(lossy, lossy)  # type: ignore[arg-type]
    for positions in (np.arange(9.0), np.arange(9, dtype=np.uint64)):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            order.sliding_select(positions, 3, 1)  # type: ignore[arg-type]


def test_a_tuple_of_arrays_is_read_field_by_field() -> None:
    """Of the memories the third field is written, the others are read; a field that does not fit refuses the whole."""
    gains, channels, weights = np.array([0.5]), np.zeros(1, dtype=np.int64), np.ones((1, 1))
    products = (
        np.zeros((1, 2), dtype=np.int64),
        np.zeros((1, 1), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.ones((1, 2)),
        np.ones((1, 1)),
    )
    free, drive = np.array([[-np.inf, np.inf]]), np.zeros((1, 2))

    def run(memories: Any) -> Any:
        read, level = np.array([[[1.0, np.nan, np.nan]], [[1.0, np.nan, np.nan]]])
        models.free_run_iterate(read, level, drive, products, memories, 0, free, free)
        return np.concatenate([read, level]).tolist()

    memory = np.array([2.0])
    # 1 + 2 = 3, the memory moves to 2.5; 3 + 2.5 = 5.5, and it moves to 4.
    assert run((strided(gains), channels, memory, weights)) == [[1.0, 3.0, 5.5]] * 2
    assert memory.tolist() == [4.0]
    for bad in (
        (gains, channels, read_only(memory), weights),
        (gains, channels.astype(float), memory, weights),
        (gains, channels, memory),
        [gains, channels, memory, weights],
        None,
    ):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            run(bad)
    assert memory.tolist() == [4.0]


RESULTS: dict[str, Callable[[], AnyArray]] = {
    "vector": lambda: models.column_scales(np.arange(1.0, 2001.0), np.arange(1.0, 2001.0) ** 2),
    "matrix": lambda: models.flows_lorenz(10.0, 28.0, 2.0, np.ones(3), 1000, 1, 0.01),
    "of a converted argument": lambda: models.column_scales(strided(np.arange(999.0)), np.arange(999)),  # type: ignore[arg-type]
    "one of two": lambda: order.bits_filled(np.arange(5000), 2000)[0],
}


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_owns_its_memory(result: str) -> None:
    made = RESULTS[result]
    first, part = made(), made()[-3:]
    expected = first.copy()
    gc.collect()
    # Freed memory of these sizes would be handed out again, and filled.
    filled = [np.full(expected.shape, 7, dtype=expected.dtype) for _ in range(50)]
    filled += [made() for _ in range(50)]
    np.testing.assert_array_equal(first, expected)
    np.testing.assert_array_equal(part, expected[-3:])
    assert first.flags.writeable
    assert first.flags.c_contiguous
    first[...] = 0
    np.testing.assert_array_equal(filled[-1], expected)


@pytest.mark.parametrize("count", [0, 1])
def test_a_result_may_be_empty(count: int) -> None:
    assert models.column_scales(np.ones(count), np.ones(count)).shape == (count,)
    assert models.cholesky_solutions(np.eye(3), np.ones((3, count))).shape == (3, count)


def smoothing(size: int) -> Callable[[], object]:
    """A pass of 50 smoothings over a series of zeros."""
    states = [np.zeros((size, 50)) for _ in range(4)]
    return partial(models.smoothings_run, np.zeros(size), 3, np.zeros((6, 50)), np.zeros((1, 50)), *states)


LONG: dict[str, Callable[[int], Callable[[], object]]] = {
    "Runge-Kutta": lambda size: partial(models.flows_lorenz, 10.0, 28.0, 2.0, np.ones(3), 3, 10 * size, 1e-4),
    "Euler": lambda size: partial(models.volterra_euler, 3, 1e-3, size),
    "banded": lambda size: partial(models.banded_reduce, np.eye(size // 50)),
    "Cholesky": lambda size: partial(models.cholesky_inverse, np.eye(size // 50)),
    "sliding select": lambda size: partial(order.sliding_select, np.arange(size), size // 2, 9),
    "smoothings": smoothing,
}
"""Kernels that work on whole passes, by how long they take. All arrays are made before: NumPy releases the lock too."""


@pytest.fixture
def unforced() -> Iterator[None]:
    """No thread is made to give the interpreter lock away: another runs when it is released, and not before."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        pytest.skip("this Python has no interpreter lock")
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    yield
    sys.setswitchinterval(before)


def runs_meanwhile(*works: Callable[[], object]) -> bool:
    """Whether this thread runs while others are in the midst of their work, each in a thread of its own."""
    ended: list[bool] = []

    def run(work: Callable[[], object]) -> None:
        work()
        ended.append(True)

    workers = [Thread(target=run, args=(work,)) for work in works]
    for worker in workers:
        # It waits until the thread has begun, and goes on once that gives the lock away.
        worker.start()
    meanwhile = not ended
    for worker in workers:
        worker.join()
    assert len(ended) == len(works)
    return meanwhile


@pytest.mark.usefixtures("unforced")
@pytest.mark.parametrize("kernel", LONG)
def test_a_long_kernel_releases_the_interpreter_lock(kernel: str) -> None:
    # A kernel may end before the system wakes this thread; one of twice the length then has the next chance.
    sizes = (10_000 * 2**power for power in range(8))
    assert any(runs_meanwhile(LONG[kernel](size), LONG[kernel](size)) for size in sizes)


@pytest.mark.usefixtures("unforced")
def test_what_holds_the_lock_would_be_found() -> None:
    numbers = range(10**6)
    assert not any(runs_meanwhile(partial(sum, numbers), partial(sum, numbers)) for _ in range(5))


@pytest.mark.parametrize("damage", ["missing", "cut", "another format"])
def test_an_extension_that_cannot_be_loaded_is_one_line(damage: str, tmp_path: Path) -> None:
    package = writable_copy(Path(ngrc.__file__).parent, tmp_path / "ngrc")
    (extension,) = (package / "_kernels").glob("_extension.*[!i]")
    if damage == "missing":
        extension.unlink()
    else:
        extension.write_bytes(
            extension.read_bytes()[:1000] if damage == "cut" else b"no shared library\n" * 100
        )
    series = tmp_path / "wave.csv"
    series.write_text("y\n" + "\n".join(str(step % 7) for step in range(100)), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "ngrc", "forecast", str(series)]
    shell = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert shell.returncode == 2
    assert shell.stdout == ""
    (line,) = shell.stderr.splitlines()
    assert line.startswith("ngrc: error: the compiled extension of ngrc cannot be loaded: ")
    assert line.endswith(
        "; install ngrc again: pip install --force-reinstall ngrc, or make -B .venv/.kernels in a clone"
    )
    library = [sys.executable, "-c", "from ngrc import NGRC"]
    python = subprocess.run(library, capture_output=True, text=True, env=environment, check=False)
    assert python.stderr.splitlines()[-1].startswith("ImportError: the compiled extension of ngrc")
