"""The judge of the soak finds what it is there to find."""

import json
from pathlib import Path
from typing import Any

import pytest
from soak import judging
from soak.judging import judged
from soak.scenes import SCENES, Scene
from soak.trial import Trial

from ngrc import NGRC
from ngrc.durable import Session, Store
from ngrc.live import OnlineForecaster
from ngrc.stream.answers import answer
from ngrc.stream.lines import Lines

SCENE = Scene("test", ())


def streamed(path: Path, lines: list[str]) -> list[dict[str, Any]]:
    """What a durable series says to the lines."""
    reader, said = Lines(), []
    with Session(Store.open(path)) as session:
        session.create("series", OnlineForecaster(NGRC(lags=2, degree=1), "split", 0.9), 30)
        for line in lines:
            observation = reader.read(line.strip().encode())
            assert observation is not None
            said.append(json.loads(answer(session.take("series", observation))))
        session.commit()
    return said


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    made = Trial(SCENE, 0, str(tmp_path / "state.db"), kills=3)
    source = SCENE.lines(0)
    made.lines = [next(source) for _ in range(45)]
    expected = streamed(tmp_path / "state.db", made.lines)
    monkeypatch.setattr(judging, "_uninterrupted", lambda _trial: expected)
    made.answers = {place: [dict(one)] for place, one in enumerate(expected)}
    return made


def test_a_clean_trial_is_clean(trial: Trial) -> None:
    trial.answers[7].append({**trial.answers[7][0], "again": True})
    verdict = judged(trial)
    assert verdict.clean
    assert (verdict.kills, verdict.acknowledged) == (3, 45)


def test_an_answer_that_differs_in_its_last_digit_is_found(trial: Trial) -> None:
    trial.answers[40].append(json.loads(json.dumps(trial.answers[40][0])))
    trial.answers[40][1]["forecasts"][0]["mean"] *= 1 + 1e-15
    assert judged(trial)[-3:] == (0, 0, 1)


def test_an_observation_with_two_counts_is_doubled(trial: Trial) -> None:
    trial.answers[40].append({**trial.answers[40][0], "seq": 42})
    verdict = judged(trial)
    assert verdict.doubled == 1
    assert not verdict.clean


def test_rows_that_are_missing_or_twice_are_found(trial: Trial, tmp_path: Path) -> None:
    short = Trial(SCENE, 0, str(tmp_path / "short.db"), lines=trial.lines, answers=trial.answers)
    streamed(tmp_path / "short.db", trial.lines[:43])
    assert judged(short).lost == 2
    longer = Trial(SCENE, 0, str(tmp_path / "longer.db"), lines=trial.lines, answers=trial.answers)
    shifted = [f"{line.partition(',')[2]}" for line in trial.lines]
    streamed(tmp_path / "longer.db", [*shifted[:40], shifted[39], *shifted[40:]])
    assert judged(longer).differing > 0


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_lines_of_a_scene_can_be_told_apart(scene: Scene) -> None:
    source = scene.lines(0)
    lines = [next(source) for _ in range(2000)]
    assert len(set(lines)) == 2000
    assert scene.missing == 0.0 or any("NA" in line or "null" in line for line in lines)
