from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.forecasters.neural.training import Training, _until_no_better, evaluate, own_torch_state, train

torch: Any = pytest.importorskip("torch", reason="neural forecasters need torch")


def rows(count: int = 60) -> tuple[FloatArray, FloatArray]:
    windows = np.random.default_rng(4).normal(size=(count, 3))
    return windows, windows @ [0.5, -1.0, 2.0] + 0.3


def build() -> Any:
    return torch.nn.Sequential(torch.nn.Linear(3, 1))


def forward(network: Any, windows: Any) -> Any:
    return network(windows).squeeze(-1)


def run(training: Training, **options: Any) -> Any:
    return train(torch, build, forward, *rows(), horizon=1, training=training, **options)


class Script:
    """A network whose weight is the epoch, and validation losses that are given beforehand."""

    def __init__(self, losses: list[float]) -> None:
        self.losses = losses
        self.network = torch.nn.Linear(1, 1, bias=False)
        self.epochs = 0

    def __call__(self) -> tuple[float, float]:
        with torch.no_grad():
            self.network.weight.fill_(float(self.epochs))
        self.epochs += 1
        return 0.0, self.losses[self.epochs - 1]


@pytest.mark.parametrize(
    ("losses", "patience", "improvement", "epochs", "best"),
    [
        ([5.0, 4.0, 3.0, 2.0], 2, 0.0, 4, 3),
        ([5.0, 4.0, 6.0, 6.0, 1.0], 2, 0.0, 4, 1),
        ([5.0, 4.0, 6.0, 6.0, 1.0], 3, 0.0, 5, 4),
        ([5.0, 4.95, 4.9, 4.85, 4.0], 4, 0.1, 5, 4),
        ([5.0, 4.95, 4.85, 4.84, 4.83], 2, 0.1, 5, 2),
        ([5.0, 5.0, 5.0, 5.0], 1, 0.0, 2, 0),
    ],
)
def test_early_stopping_keeps_the_best_epoch(
    losses: list[float], patience: int, improvement: float, epochs: int, best: int
) -> None:
    script = Script(losses)
    training = Training(epochs=len(losses), patience=patience, improvement=improvement)
    record = _until_no_better(script.network, script, training)
    assert (script.epochs, record.best) == (epochs, best)
    assert float(script.network.weight.detach()) == best
    assert record.validation_loss.tolist() == losses[:epochs]


def test_training_equals_adam_written_by_hand() -> None:
    """Two epochs of batches in chronological order, mean absolute error, Adam's update by definition."""
    windows, targets = rows(20)
    training = Training(epochs=2, batch=6, learning_rate=0.05, held_out=0.25, patience=9)
    with own_torch_state(torch, training.seed):
        start = build()[0]
    weight = np.append(start.weight.detach().numpy()[0], start.bias.detach().numpy()).astype(float)
    first, second, steps = np.zeros(4), np.zeros(4), 0
    judged, kept = [], []
    design = np.column_stack([windows, np.ones(20)])
    for _ in range(2):
        for at in (0, 6, 12):
            part = slice(at, min(at + 6, 15))
            signs = np.sign(design[part] @ weight - targets[part])
            gradient = signs @ design[part] / signs.size
            steps += 1
            first = 0.9 * first + 0.1 * gradient
            second = 0.999 * second + 0.001 * gradient**2
            ratio = (first / (1 - 0.9**steps)) / (np.sqrt(second / (1 - 0.999**steps)) + 1e-8)
            weight = weight - 0.05 * ratio
        judged.append(np.mean(np.abs(design[15:] @ weight - targets[15:])))
        kept.append(weight)
    network, record = train(torch, build, forward, windows, targets, horizon=1, training=training)
    best = int(np.argmin(judged))
    assert record.best == best
    assert record.validation_loss == pytest.approx(judged, rel=1e-4)
    assert network[0].weight.detach().numpy()[0] == pytest.approx(kept[best][:3], rel=1e-4)


def test_a_linear_rule_is_learned() -> None:
    network, record = run(Training(epochs=150, learning_rate=0.05, batch=8))
    assert record.validation_loss.min() < 0.1 < record.validation_loss[0]
    assert record.training_loss.size == record.validation_loss.size <= 150
    windows, targets = rows()
    found = evaluate(torch, network, forward, torch.as_tensor(windows, dtype=torch.float32)).numpy()
    assert np.abs(found - targets)[48:].mean() == pytest.approx(record.validation_loss[record.best], rel=1e-5)


def test_seeds_decide_the_weights() -> None:
    same = [run(Training(epochs=2, seed=seed))[0][0].weight.detach().numpy() for seed in (1, 1, 2)]
    assert np.array_equal(same[0], same[1])
    assert not np.allclose(same[0], same[2])


def _fail_inside() -> None:
    with own_torch_state(torch, 3):
        assert torch.get_num_threads() == 1
        torch.rand(1 // 0)


def test_the_callers_torch_is_left_alone() -> None:
    threads, state = torch.get_num_threads(), torch.random.get_rng_state()
    run(Training(epochs=1))
    assert torch.get_num_threads() == threads
    assert bool((state == torch.random.get_rng_state()).all())
    with pytest.raises(ZeroDivisionError):
        _fail_inside()
    assert torch.get_num_threads() == threads
    assert bool((state == torch.random.get_rng_state()).all())


def test_progress_is_drawn_only_when_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    run(Training(epochs=2))
    assert capsys.readouterr().err == ""
    run(Training(epochs=2), progress=True)
    assert "validation loss" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("count", "horizon", "learn", "judge"), [(10, 1, 8, 8), (10, 3, 8, 10), (21009, 1, 16807, 16807)]
)
def test_early_stopping_rows_start_after_the_horizon(
    count: int, horizon: int, learn: int, judge: int
) -> None:
    if judge >= count:
        with pytest.raises(ValueError, match="leave 8 to train on and none to stop by at horizon 3"):
            Training().blocks(count, horizon)
    else:
        assert Training().blocks(count, horizon) == (slice(0, learn), slice(judge, count))


def test_the_held_out_share_can_be_changed() -> None:
    assert Training(held_out=0.5).blocks(11, 2) == (slice(0, 5), slice(6, 11))
    with pytest.raises(ValueError, match="leave 0 to train on"):
        Training(held_out=0.99).blocks(2, 1)


def test_divergence_is_said() -> None:
    windows, targets = rows()
    with pytest.raises(ValueError, match="training diverged"):
        train(torch, build, forward, windows * 1e30, targets * 1e39, horizon=1, training=Training(epochs=2))


@pytest.mark.parametrize(
    "wrong",
    [
        {"epochs": 0},
        {"batch": 0},
        {"patience": 1.5},
        {"seed": -1},
        {"learning_rate": 0.0},
        {"held_out": 1.0},
        {"held_out": 0.0},
        {"improvement": -1e-7},
        {"improvement": float("nan")},
    ],
)
def test_bad_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Training(**wrong)
