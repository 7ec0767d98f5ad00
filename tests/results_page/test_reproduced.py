"""The page from small runs of our own making: what is shown, what is not hidden, what is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from results_page.command import main
from results_page.folder import read_entry
from results_page.links import READ_ON
from results_page.page import untouched

from ngrc.study.harness.output import write
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome
from ngrc.study.registry import MODULES, find

ROOT = Path(__file__).parents[2]
MATCH = Check("temporal", "tab:a", "mean", "printed", 0.951, 0.951, 0.001, 0.002, "digits", "match")
OFF = replace(
    MATCH, cell="W_B | width", ours=0.1234567, expected=0.1234599, verdict="different", reason="a * b < 3"
)
SHOWN = replace(MATCH, ours=None, verdict="not comparable", rule="shown", reason="no file")


def results(folder: Path, checks: dict[str, list[Check]]) -> Path:
    """A folder as `ngrc reproduce` leaves it."""
    for name, rows in checks.items():
        own = tuple(replace(row, target=name) for row in rows)
        outcome = Outcome({"t": pl.DataFrame({"a": [1]})}, {}, own, {}, ("It holds.",), ("2 reps.", "seed 0"))
        write(find(name), outcome, folder)
    return folder


def written(folder: Path) -> str:
    """The page of a folder."""
    out = folder / "page.md"
    assert main(["--results", str(folder), "--out", str(out)]) == 0
    return out.read_text(encoding="utf-8")


def section(text: str, name: str) -> str:
    """The part of the page on one target."""
    return text.split(f"(results-{name})=")[1].split("\n### ")[1]


def test_rows_are_counted_by_kind_and_those_that_differ_are_listed_with_both_values(tmp_path: Path) -> None:
    rows = [MATCH, replace(MATCH, verdict="within"), OFF, SHOWN, replace(MATCH, kind="claim")]
    text = written(results(tmp_path, {"temporal": rows}))
    assert "they compare 4: **1 match, 1 within, 1 different, 1 not comparable**" in text
    own = section(text, "temporal")
    counts = "1 match, 1 within, **1 different**, 1 not comparable"
    assert f"Compared: printed numbers 4 ({counts}); claims 1 (1 match)." in own
    assert f"| [temporal](#results-temporal) | {counts} |  | 1 match |" in text
    # Digits enough to tell the two apart, and no character that Markdown would take for its own.
    assert r"| `tab:a` | W\_B \| width | 0.12346 | 0.123457 | 0.001 |" in own
    assert r"a \* b \< 3" in own
    assert "- 1: no file" in own
    assert "It holds." in own
    assert "- 2 reps.\n- seed 0" in own


def test_rows_of_another_paper_are_not_in_the_sum(tmp_path: Path) -> None:
    text = written(results(tmp_path, {"temporal": [MATCH], "dynamics": [OFF]}))
    assert "they compare 1: **1 match, 0 within, 0 different, 0 not comparable**" in text
    assert "**Different** from the numbers that Gauthier et al. (2021) prints:" in section(text, "dynamics")


def test_a_target_that_was_not_run_is_listed_as_such(tmp_path: Path) -> None:
    text = written(results(tmp_path, {"temporal": [MATCH]}))
    assert f"1 of the {len(MODULES)} targets" in text
    assert "| `phase` | *not run* |" in text
    missing = text.split("### Not run")[1]
    assert "- `phase`: " in missing
    assert "- `temporal`: " not in missing
    assert "*Not run.* `make accuracy` measures it" in text


def test_the_same_folder_gives_the_same_page_whatever_stands_there_already(tmp_path: Path) -> None:
    folder = results(tmp_path, {"temporal": [MATCH, OFF], "beyond": [replace(OFF, kind="claim")]})
    first = written(folder)
    assert written(folder) == first
    assert untouched(first)
    assert not untouched(first.replace("they compare 2", "they compare 3"))


BROKEN: dict[str, Callable[[str], str]] = {
    "half a file": lambda text: text[: len(text) // 2],
    "no list": lambda text: "{}x",
    "another verdict": lambda text: text.replace('"match"', '"perfect"'),
    "another target": lambda text: text.replace('"target": "temporal"', '"target": "phase"'),
    "no number": lambda text: text.replace("0.951", "NaN"),
    "text for a number": lambda text: text.replace("0.951", '"0.951"'),
    "a column too many": lambda text: text.replace('"table"', '"extra": 1, "table"'),
}


@pytest.mark.parametrize("damage", BROKEN.values(), ids=BROKEN.keys())
def test_broken_checks_are_one_line_and_leave_the_page_as_it_was(
    damage: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = results(tmp_path, {"temporal": [MATCH]})
    before = written(folder)
    path = folder / "temporal" / "checks.json"
    path.write_text(damage(path.read_text()))
    with pytest.raises(SystemExit) as end:
        main(["--results", str(folder), "--out", str(folder / "page.md")])
    assert end.value.code == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("results_page: error: ")
    assert "run `ngrc reproduce temporal` again" in last
    assert "checks.json" in last
    assert (folder / "page.md").read_text(encoding="utf-8") == before


def test_a_page_of_another_shape_and_a_missing_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = results(tmp_path, {"temporal": [MATCH]})
    (folder / "temporal" / "index.md").write_text("# Something else\n")
    with pytest.raises(
        ValueError, match=r"index\.md is not a page that this version of ngrc reproduce writes; run"
    ):
        read_entry(folder, "temporal")
    with pytest.raises(SystemExit):
        main(["--results", str(tmp_path / "nowhere")])
    assert "is no folder; `ngrc reproduce TARGET --out FOLDER` makes one" in capsys.readouterr().err


def test_a_folder_without_our_marker_was_not_run(tmp_path: Path) -> None:
    (tmp_path / "phase").mkdir()
    (tmp_path / "phase" / "checks.json").write_text("[]")
    assert not read_entry(tmp_path, "phase").run


def test_every_target_has_pages_that_explain_it() -> None:
    assert list(READ_ON) == list(MODULES)
    for links in READ_ON.values():
        for link in links:
            page, _, anchor = link.split("](")[1].rstrip(")").partition("#")
            text = (ROOT / "docs" / page).read_text(encoding="utf-8")
            slugs = [
                line.strip("# `").lower().replace("`", "").replace(" ", "-") for line in text.splitlines()
            ]
            assert not anchor or anchor in slugs, link


def test_the_committed_page_names_every_target_and_was_not_changed_by_hand() -> None:
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert untouched(text)
    for name in MODULES:
        assert f"[{name}](#results-{name})" in text or f"| `{name}` | *not run* |" in text


def test_checks_are_read_as_they_were_written(tmp_path: Path) -> None:
    folder = results(tmp_path, {"temporal": [OFF, SHOWN]})
    entry = read_entry(folder, "temporal")
    assert entry.checks == (OFF, SHOWN)
    assert (entry.findings, entry.notes) == (("It holds.",), ("2 reps.", "seed 0"))
    assert json.loads((folder / "temporal" / "checks.json").read_text())[0]["paper"] == OFF.expected
