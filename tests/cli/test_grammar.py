"""One grammar: lists by commas or repetition, suggestions, examples that parse, quiet."""

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest

from ngrc.cli import COMMANDS, cli, run
from ngrc.cli.grammar import Command, Name, numbers_of, words_of

SHORT = ["--lags", "3", "--degree", "1", "--method", "split"]


@pytest.fixture
def csv(tmp_path: Path) -> str:
    rng = np.random.default_rng(1)
    hours = np.arange("2024-01-01T00", 300, dtype="M8[h]")
    load = 20 + 5 * np.sin(2 * np.pi * np.arange(300) / 24) + rng.normal(0, 1, 300)
    wind, rain = rng.normal(size=(2, 300))
    path = tmp_path / "load.csv"
    rows = zip(hours, load, wind, rain, strict=True)
    path.write_text(
        "time,load,wind,rain\n"
        + "".join(f"{str(t).replace('T', ' ')}:00,{a:.5f},{b:.5f},{c:.5f}\n" for t, a, b, c in rows)
    )
    return str(path)


def report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert run([*words, "--json"]) == 0, capsys.readouterr().err
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    found.pop("methods", None)
    for level in found.get("levels", []):  # type: ignore[attr-defined]
        level.pop("methods", None) if isinstance(level, dict) else None
    return found


def commands() -> list[tuple[str, Command]]:
    """Every command with its whole name, also those of a group."""
    found: list[tuple[str, Command]] = []
    for name in COMMANDS:
        one = cli.get_command(click.Context(cli), name)
        assert one is not None
        inner = one.commands.items() if isinstance(one, click.Group) else [("", one)]
        found += [(f"{name} {key}".strip(), sub) for key, sub in inner if isinstance(sub, Command)]
    return found


@pytest.mark.parametrize(("name", "one"), commands(), ids=lambda part: part if isinstance(part, str) else "")
def test_every_command_has_examples_that_parse(
    name: str, one: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert one.examples, f"ngrc {name} has no examples"
    for words in one.example_words():
        # Redirections are the shell's.
        words = words[: words.index(">>")] if ">>" in words else words
        words = words[: words.index(">")] if ">" in words else words
        assert words[: len(name.split())] == name.split()
        context = one.make_context(name, words[len(name.split()) :], parent=click.Context(cli))
        assert context.params is not None
    assert run([*name.split(), "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Examples:" in shown
    for example in one.examples:
        assert f"  {example}\n" in shown
    assert "--quiet" in shown


def test_an_example_that_does_not_parse_would_be_found() -> None:
    from ngrc.cli.forecast import forecast

    with pytest.raises(click.UsageError):
        forecast.make_context("forecast", ["load.csv", "--horizn", "3"])


def test_words_and_numbers() -> None:
    assert words_of(()) == ()
    assert words_of(["a, b", r"c\,d"]) == ("a", "b", "c,d")
    assert numbers_of(["24,168", "8766.5"]) == (24.0, 168.0, 8766.5)
    for broken in (["a,,b"], [""], [","]):
        with pytest.raises(click.BadParameter, match="words with commas"):
            words_of(broken)
    with pytest.raises(click.BadParameter, match="numbers with commas"):
        numbers_of(["24,day"])


@pytest.mark.parametrize(
    ("commas", "repeated"),
    [
        (["--period", "24,12"], ["--period", "24", "--period", "12"]),
        (["--level", "80,95"], ["--level", "0.8", "--level", "0.95"]),
        (["--method", "adaptive,split"], ["--method", "adaptive", "--method", "split"]),
        (["--exog", "wind,rain"], ["--exog", "wind", "--exog", "rain"]),
        (["--known", "wind,rain"], ["--known", "wind", "--known", "rain"]),
        (["--lags", "1,2,24"], ["--lags", "1", "--lags", "2", "--lags", "24"]),
        (["--calendar", "hour,weekday"], ["--calendar", "hour", "--calendar", "weekday"]),
    ],
    ids=lambda words: words[0],
)
def test_lists_repeat_or_take_commas(
    commas: list[str], repeated: list[str], csv: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = ["--column", "load", "--degree", "1"]
    rest += [] if commas[0] == "--lags" else ["--lags", "2"]
    rest += [] if commas[0] == "--method" else ["--method", "split"]
    first, second = (report(capsys, "compare", csv, *words, *rest) for words in (commas, repeated))
    assert first == second
    if commas[0] in ("--period", "--exog", "--known", "--calendar"):
        assert first["features"] != report(capsys, "compare", csv, *rest)["features"]


def test_targets_and_quantiles_take_commas(csv: str, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["forecast", csv, *SHORT, "--horizon", "2"]
    outputs = []
    for words in (
        ["--target", "load,wind", "--quantiles", "0.1,0.5"],
        ["--target", "load", "--target", "wind", "--quantiles", "0.1", "--quantiles", "0.5"],
    ):
        assert run([*base, *words]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert outputs[0].startswith("series,step,time,forecast,lower,upper,q10,q50\n")


def test_horizon_and_steps_are_one_option(csv: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--horizon", "3"], ["--steps", "3"]):
        assert run(["forecast", csv, "--column", "load", *SHORT, *words]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (["forcast", "CSV"], "did you mean 'forecast'?"),
        (["data", "lst"], "did you mean 'data list'?"),
        (["forecast", "CSV", "--horizn", "3"], "--horizon"),
        (["compare", "CSV", "--method", "auto,spilt"], "did you mean 'split'?"),
        (["forecast", "CSV", "--method", "adaptiv"], "did you mean 'adaptive'?"),
        (["intervals", "CSV", "--method", "adaptiv"], "did you mean 'adaptive'?"),
        (["forecast", "CSV", "--band", "paht"], "did you mean 'path'?"),
        (["compare", "CSV", "--split", "fixd"], "did you mean 'fixed'?"),
        (["compare", "CSV", "--difference", "incremnt"], "did you mean 'increment'?"),
        (["compare", "CSV", "--preset", "papr"], "did you mean 'paper'?"),
        (["compare", "exchnge"], "did you mean 'exchange'?"),
        (["compare", "CSV", "--column", "lod"], "did you mean 'load'?"),
        (["compare", "CSV", "--column", "load", "--exog", "wnid"], "did you mean 'wind'?"),
        (["reproduce", "temporl"], "did you mean temporal?"),
        (["data", "get", "solr"], "did you mean 'solar'?"),
        (["data", "where", "solr"], "did you mean 'solar'?"),
        (["completion", "bsh"], "did you mean 'bash'?"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_a_mistype_gets_a_suggestion(
    words: list[str], suggestion: str, csv: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([csv if word == "CSV" else word for word in words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ngrc: error: ")
    assert captured.err.count("\n") == 1
    assert suggestion in captured.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "CSV", "--period", "24,day"], "numbers with commas between them are expected"),
        (["compare", "CSV", "--exog", "wind,,rain"], "words with commas between them are expected"),
        (["compare", "CSV", "--method", "split,split"], "is given twice"),
        (["compare", "CSV", "--method", "split,"], "words with commas"),
        (["diagnose", "CSV", "--level", "80,95"], "--level takes one number here"),
        (["diagnose", "CSV", "--out", "x.csv"], "--out writes JSON, got 'x.csv'; name it .json"),
        (["forecast", "CSV", "--plot", "x.pdf"], "--plot writes .png, .svg, .html, .htm, got 'x.pdf'"),
        (["forecast", "CSV", "--plot", "no/where.html"], "there is no folder"),
        (["forecast", "CSV", "--plot", "CSV"], "--plot"),
        (["forecast", "CSV", "--plot", "no/where.png"], "there is no folder"),
        (["forecast", "CSV", "--horizon", "0"], "'--horizon' / '--steps': a whole number from 1 on"),
        (["data", "get"], "name at least one dataset"),
        (["completion"], "Missing argument"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_bad_words_are_one_line_and_exit_2(
    words: list[str],
    message: str,
    csv: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [csv if word == "CSV" else word for word in words]
    column = ["--column", "load"] if words[0] in ("compare", "forecast", "diagnose") else []
    assert run([*words, *column]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ngrc: error: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert [path.name for path in tmp_path.iterdir()] == ["load.csv"]


@pytest.mark.parametrize("command", ["forecast", "compare", "diagnose"])
def test_quiet_leaves_the_result_alone(
    command: str, csv: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    method = [] if command == "diagnose" else ["--method", "split"]
    words = [command, csv, "--column", "load", "--lags", "3", "--degree", "1", *method]
    assert run(words) == 0
    loud = capsys.readouterr()
    assert (
        "ngrc: took: column 'load', times from column 'time', 300 values, every hour from 2024-01-01 00:00 to"
        in loud.err
    )
    assert run([*words, "--quiet"]) == 0
    hushed = capsys.readouterr()
    assert hushed.err == ""
    assert len(hushed.out.splitlines()) == len(loud.out.splitlines())
    assert logging.getLogger("ngrc").level == logging.WARNING
    out = str(tmp_path / "out.json")
    assert run([*words, "-q", "--out", out]) == 0
    assert capsys.readouterr() == ("", "")
    # The next command of the same process is not quiet any more.
    assert run(words) == 0
    assert capsys.readouterr().err == loud.err


def test_names_complete_after_a_comma() -> None:
    kind = Name(["split", "student", "auto"], "method", several=True)
    parameter = click.Option(["--method"])
    context = click.Context(cli)
    assert [item.value for item in kind.shell_complete(context, parameter, "auto,s")] == [
        "auto,split",
        "auto,student",
    ]
    assert Name(["a"], "letter").get_metavar(parameter, context) == "[a]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_NGRC_COMPLETE" in script
    assert "ngrc" in script


def completed(*words: str) -> list[str]:
    from click.shell_completion import ShellComplete

    found = ShellComplete(cli, {}, "ngrc", "_NGRC_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [item.value for item in found]


def test_the_shell_is_told_names() -> None:
    assert completed("for") == ["forecast"]
    assert completed("forecast", "x.csv", "--hor") == ["--horizon"]
    assert completed("compare", "x.csv", "--method", "sp") == ["split"]
    assert completed("intervals", "x.csv", "--method", "sp") == ["split"]
    assert completed("data", "get", "so") == ["solar"]
    assert completed("reproduce", "real-m") == ["real-main", "real-models"]
    assert "solar" in completed("forecast", "so")


def test_the_shell_asks_through_the_environment() -> None:
    """What the printed script does when a key is pressed; only the names of commands are read for it."""
    code = "import sys; from ngrc.cli import main\ntry: main()\nfinally: print('polars' in sys.modules, file=sys.stderr)"
    environment = {
        **os.environ,
        "_NGRC_COMPLETE": "bash_complete",
        "COMP_WORDS": "ngrc fo",
        "COMP_CWORD": "1",
    }
    child = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert child.stdout == "plain,forecast\n"
    assert child.stderr == "False\n"


def test_every_option_is_told_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    words = set(re.findall(r"--[a-z][a-z-]*", page))
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert f"`ngrc {name}" in page
        options = {
            option for parameter in command.params for option in parameter.opts if option.startswith("--")
        }
        assert options - {"--help"} <= words, name
