from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.datasets import registry
from ngrc.forecasters import SeasonalNaive, cached_predict
from ngrc.forecasters.cache import cache_folder

Y = np.random.default_rng(2).normal(size=30)


class Counted(SeasonalNaive):
    """Counts its fits and leaves a note."""

    fits = 0

    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> "Counted":
        Counted.fits += 1
        self.seen_ = (len(y), first, scale)
        self.notes_ = ("careful",)
        return super().fit(y, first=first, scale=scale)


@pytest.fixture(autouse=True)
def _from_zero() -> None:
    Counted.fits = 0


def test_the_second_run_reads_what_the_first_kept(tmp_path: Path) -> None:
    first = cached_predict(Counted(2), Y, 20, first=3, scale=(1.0, 2.0), folder=tmp_path)
    second = cached_predict(Counted(2), Y, 20, first=3, scale=(1.0, 2.0), folder=tmp_path)
    assert (first.from_cache, second.from_cache, Counted.fits) == (False, True, 1)
    assert np.array_equal(first.values, SeasonalNaive(2).predict(Y), equal_nan=True)
    assert np.array_equal(first.values, second.values, equal_nan=True)
    assert second.seconds == first.seconds > 0
    assert first.notes == second.notes == ("careful",)


def test_the_fit_sees_its_block_and_nothing_later(tmp_path: Path) -> None:
    model = Counted(2)
    cached_predict(model, Y, 20, first=3, scale=(1.0, 2.0), folder=tmp_path)
    assert model.seen_ == (20, 3, (1.0, 2.0))


def test_other_content_is_another_file(tmp_path: Path) -> None:
    cached_predict(Counted(2), Y, 20, folder=tmp_path)
    cached_predict(Counted(2), Y, 21, folder=tmp_path)
    cached_predict(Counted(3), Y, 20, folder=tmp_path)
    cached_predict(Counted(2), Y + 1.0, 20, folder=tmp_path)
    assert Counted.fits == len(list(tmp_path.iterdir())) == 4


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[200] ^= 0xFF
    path.write_bytes(bytes(content))


def _other_length(path: Path) -> None:
    np.savez(path, values=np.zeros(3), seconds=1.0, notes=np.array([], dtype=np.str_))


def _other_content(path: Path) -> None:
    np.savez(path, something=np.zeros(3))


@pytest.mark.parametrize("damage", [_truncate, _empty, _flip, _other_length, _other_content])
def test_a_damaged_file_is_ignored_with_a_note_and_replaced(damage: Any, tmp_path: Path) -> None:
    good = cached_predict(Counted(2), Y, 20, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    damage(path)
    again = cached_predict(Counted(2), Y, 20, folder=tmp_path)
    assert not again.from_cache
    assert again.notes[0] == "careful"
    assert again.notes[1].startswith(f"ignored the cached forecasts {path.name}")
    assert np.array_equal(again.values, good.values, equal_nan=True)
    healed = cached_predict(Counted(2), Y, 20, folder=tmp_path)
    assert healed.from_cache
    assert healed.notes == ("careful",)


def test_a_kill_while_writing_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(file: Any, **arrays: FloatArray) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", stop)
    with pytest.raises(KeyboardInterrupt):
        cached_predict(Counted(2), Y, 20, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_costs_a_note(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    made = cached_predict(Counted(2), Y, 20, folder=blocked / "below")
    assert np.array_equal(made.values, SeasonalNaive(2).predict(Y), equal_nan=True)
    assert "could not be cached" in made.notes[-1]


def test_a_dead_link_in_the_cache_costs_a_note(tmp_path: Path) -> None:
    cached_predict(Counted(2), Y, 20, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    path.unlink()
    path.symlink_to(tmp_path / "absent")
    again = cached_predict(Counted(2), Y, 20, folder=tmp_path)
    assert np.array_equal(again.values, SeasonalNaive(2).predict(Y), equal_nan=True)
    assert "could not be cached" in again.notes[-1]
    assert not (tmp_path / "absent").exists()


def test_the_default_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "here"))
    cached_predict(SeasonalNaive(), Y, 20)
    assert len(list((tmp_path / "here" / "ngrc" / "forecasts").glob("*.npz"))) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == registry.cache_folder() / "forecasts"


def test_the_fit_block_must_lie_in_the_series(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="fit_end must be at most the 30 observations, got 31"):
        cached_predict(SeasonalNaive(), Y, 31, folder=tmp_path)
    with pytest.raises(ValueError, match="fit_end must be at least 1"):
        cached_predict(SeasonalNaive(), Y, 0, folder=tmp_path)
