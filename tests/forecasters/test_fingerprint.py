import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from ngrc.features import Scale
from ngrc.forecasters import ARIMA, GRU, LagRegressor, SeasonalNaive, Training
from ngrc.forecasters.fingerprint import code_version, describe, fingerprint

Y = np.random.default_rng(1).normal(size=20)


def test_every_ingredient_changes_the_hash() -> None:
    base = fingerprint(GRU(3), Y, 10, 0, None)
    changed = Y.copy()
    changed[-1] = np.nextafter(changed[-1], 9.0)
    others = [
        fingerprint(GRU(4), Y, 10, 0, None),
        fingerprint(GRU(3, horizon=2), Y, 10, 0, None),
        fingerprint(GRU(3, training=replace(Training(), seed=1)), Y, 10, 0, None),
        fingerprint(GRU(3, training=Training(learning_rate=1.1e-3)), Y, 10, 0, None),
        fingerprint(ARIMA(lookback=3), Y, 10, 0, None),
        fingerprint(GRU(3), changed, 10, 0, None),
        fingerprint(GRU(3), Y[:-1], 10, 0, None),
        fingerprint(GRU(3), Y, 11, 0, None),
        fingerprint(GRU(3), Y, 10, 1, None),
        fingerprint(GRU(3), Y, 10, 0, (0.0, 1.0)),
        fingerprint(GRU(3), Y, 10, 0, (0.0, 2.0)),
    ]
    assert len({base, *others}) == 1 + len(others)


def test_what_is_merely_shown_does_not_change_the_hash() -> None:
    assert fingerprint(GRU(3, progress=True), Y, 10, 0, None) == fingerprint(GRU(3), Y, 10, 0, None)
    assert fingerprint(GRU(3), Y[::-1][::-1], 10, 0, None) == fingerprint(GRU(3), Y, 10, 0, None)


def test_regressors_are_told_apart_by_their_parameters() -> None:
    hashes = {fingerprint(LagRegressor(Ridge(alpha), 2), Y, 10, 0, None) for alpha in (1.0, 1.0, 2.0)}
    assert len(hashes) == 2


def test_plain_values_are_described() -> None:
    described = describe({"a": np.float64(0.5), "b": np.int64(3), "c": [True, None], "d": np.array([1.0])})
    assert described == {"a": (0.5).hex(), "b": 3, "c": [True, None], "d": [(1.0).hex()]}
    assert describe(Training())["parameters"]["epochs"] == 200


def test_an_object_with_no_stable_description_is_refused() -> None:
    with pytest.raises(ValueError, match="type object cannot be recognised in another run"):
        fingerprint(LagRegressor(object(), 2), Y, 10, 0, None)


def test_code_counts_and_comments_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))

    def version(name: str, text: str) -> str:
        (tmp_path / f"{name}.py").write_text(text)
        return code_version(name)

    plain = version("plain_module", "def f(x):\n    return x + 1\n")
    assert plain != version("other_module", "def f(x):\n    return x + 1\n")
    (tmp_path / "plain_module.py").write_text(
        '"""Text."""\n\n\ndef f(x):\n    """Text."""\n    return x + 1  # why\n'
    )
    assert code_version("plain_module") == plain
    (tmp_path / "plain_module.py").write_text("def f(x):\n    return x + 2\n")
    assert code_version("plain_module") != plain


def test_code_that_a_forecaster_imports_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    from ngrc.forecasters import fingerprint as module

    read = []
    source = module._source

    def remember(name: str) -> str:
        read.append(name)
        return source(name)

    monkeypatch.setattr(module, "_source", remember)
    code_version("ngrc.forecasters.neural.gru")
    assert {"recurrence", "training", "base", "gru"} <= {name.rpartition(".")[2] for name in read}
    assert all(name.startswith("ngrc.forecasters") for name in read)


def test_code_without_source_is_refused() -> None:
    with pytest.raises(ValueError, match="source of math is not at hand"):
        code_version("math")


def test_a_class_outside_the_package_is_hashed_by_its_own_file() -> None:
    class Mine(SeasonalNaive): ...

    assert sys.modules[Mine.__module__].__file__ == __file__
    hashes: set[Any] = {fingerprint(kind(1), Y, 10, 0, None) for kind in (Mine, SeasonalNaive)}
    assert len(hashes) == 2


def test_a_scale_and_its_plain_pair_have_one_key() -> None:
    named, plain = (
        fingerprint(SeasonalNaive(), np.zeros(9), 5, 0, scale) for scale in (Scale(1.0, 2.0), (1.0, 2.0))
    )
    assert named == plain
