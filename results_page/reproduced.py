"""The part of the page on `ngrc reproduce`: counts of every target, and every row that differs."""

from collections import Counter
from collections.abc import Sequence

from ngrc.study.harness.record import EXPECTED, KINDS, Check, Kind, of_kind, tally
from ngrc.study.harness.target import THE_PAPER
from ngrc.study.harness.text import TALLIES, number
from results_page.folder import Entry
from results_page.links import READ_ON
from results_page.markdown import code, folded, plain, table

MOST_REASONS = 6
"""Reasons why rows cannot be compared that are listed, the most frequent first: enough for all but one target."""
MOST_DIGITS = 17
"""Digits that tell any two numbers apart."""
MOST_FINDINGS = 4
"""Findings that stand open; longer lists are folded, so that the page can be read through."""
LEGEND = (
    "*Match*: the same printed digits, or the same count. *Within*: inside the Monte-Carlo error, or one unit of the "
    "last printed place. *Different*: neither; every such row is listed below with its reason. *Not comparable*: shown "
    "and not judged. About one right row in 370 is called different by chance; "
    "[how rows are judged](study.md#checks)."
)
HELD: dict[Kind, str] = {
    "printed": "the numbers that {paper} prints",
    "formula": "our closed forms",
    "claim": "what {paper} says",
}


def reproduced(entries: Sequence[Entry]) -> list[str]:
    """Paragraphs of Markdown: the sum, the table of targets, one section per target that was run, the others."""
    run, others = [entry for entry in entries if entry.run], [entry for entry in entries if not entry.run]
    return [
        "## The paper against ours",
        total(entries),
        LEGEND,
        overview(entries),
        *(part for entry in run for part in section(entry)),
        *([not_run(others)] if others else []),
    ]


def total(entries: Sequence[Entry]) -> str:
    """The sum over the numbers that the paper prints, in words."""
    run = [entry for entry in entries if entry.run]
    rows = [
        check
        for entry in run
        if entry.target.paper == THE_PAPER
        for check in of_kind(entry.checks, "printed")
    ]
    words = ", ".join(f"{count} {verdict}" for verdict, count in tally(rows).items())
    return (
        f"{len(run)} of the {len(entries)} targets of `ngrc reproduce --list` were run. Of the numbers that the paper "
        f"prints, they compare {len(rows)}: **{words}**. Only these are reproduction. Beside them stand our "
        "simulations against closed forms, and claims: the paper's words, or our own where the title says that a "
        "result is ours."
    )


def overview(entries: Sequence[Entry]) -> str:
    """One line per target."""
    lines = []
    for entry in entries:
        name = entry.target.name
        counts = (
            [counted(of_kind(entry.checks, kind)) for kind in KINDS] if entry.run else ["*not run*", "", ""]
        )
        lines.append((f"[{name}](#results-{name})" if entry.run else code(name), *counts))
    return table(("target", *(TALLIES[kind] for kind in KINDS)), lines)


def counted(checks: Sequence[Check]) -> str:
    """Verdicts that occur, in words; those that differ stand out."""
    found = {verdict: count for verdict, count in tally(checks).items() if count}
    return ", ".join(
        f"**{count} {verdict}**" if verdict == "different" else f"{count} {verdict}"
        for verdict, count in found.items()
    )


def section(entry: Entry) -> list[str]:
    """What a target asks, what came out, its counts, every row that differs, and why others are not compared."""
    target = entry.target
    counts = "; ".join(
        f"{TALLIES[kind]} {len(rows)} ({counted(rows)})"
        for kind in KINDS
        if (rows := of_kind(entry.checks, kind))
    )
    notes = "\n".join(f"- {plain(note)}" for note in entry.notes)
    links = ", ".join(READ_ON[target.name])
    return [
        f"(results-{target.name})=\n### {plain(target.title)}",
        plain(target.shows),
        *came_out(entry.findings),
        f"Compared: {counts or 'nothing'}.",
        *different(entry),
        *incomparable(entry),
        *([folded("How it was run", notes)] if notes else []),
        f"`ngrc reproduce {target.name}` · {links}",
    ]


def came_out(findings: Sequence[str]) -> list[str]:
    """Findings in the order of the target's own page; many of them folded."""
    if len(findings) <= MOST_FINDINGS:
        return [plain(finding) for finding in findings]
    return [folded("What came out", "\n".join(f"- {plain(finding)}" for finding in findings))]


def different(entry: Entry) -> list[str]:
    """Every row that differs, by kind."""
    # A target that is ours alone holds its rows against the words of its own page.
    paper = entry.target.paper if entry.target.paper != "this page" else "our own page"
    parts = []
    for kind in KINDS:
        rows = [check for check in of_kind(entry.checks, kind) if check.verdict == "different"]
        if rows:
            parts += [f"**Different** from {plain(HELD[kind].format(paper=paper))}:", difference_table(rows)]
    return parts


def difference_table(rows: Sequence[Check]) -> str:
    """Where, what, the expected value, ours, what was allowed, and why."""
    lines = [
        (
            code(row.table),
            plain(row.cell),
            *pair(row.expected, row.ours),
            number(row.tolerance),
            plain(row.reason),
        )
        for row in rows
    ]
    return table(("where", "what", EXPECTED[rows[0].kind], "ours", "allowed", "why"), lines)


def pair(expected: float | None, ours: float | None) -> tuple[str, str]:
    """Two numbers with digits enough to see that they differ.

    Examples
    --------
    >>> pair(0.119, 0.11863), pair(3.0, 2.0), pair(1.00001, 1.00002)
    (('0.119', '0.1186'), ('3', '2'), ('1.00001', '1.00002'))
    """
    first, second = number(expected), number(ours)
    if first != second or expected is None or ours is None or expected == ours:
        return first, second
    digits = next(d for d in range(5, MOST_DIGITS + 1) if f"{expected:.{d}g}" != f"{ours:.{d}g}")
    return f"{expected:.{digits}g}", f"{ours:.{digits}g}"


def incomparable(entry: Entry) -> list[str]:
    """Why rows are not compared, each reason with the number of its rows."""
    reasons = Counter(check.reason for check in entry.checks if check.verdict == "not comparable")
    if not reasons:
        return []
    lines = [
        f"- {count}: {plain(reason or 'no reason given')}"
        for reason, count in reasons.most_common(MOST_REASONS)
    ]
    left = reasons.total() - sum(count for _, count in reasons.most_common(MOST_REASONS))
    if left:
        lines.append(f"- {left} for other reasons, one per row, in the target's `checks.json`")
    return ["Not comparable, by reason:", "\n".join(lines)]


def not_run(others: Sequence[Entry]) -> str:
    """The targets that the folder does not hold."""
    lines = [f"- {code(entry.target.name)}: {plain(entry.target.title)}" for entry in others]
    names = " ".join(entry.target.name for entry in others)
    return "\n\n".join(
        [
            "### Not run",
            "The folder of results holds nothing of these:",
            "\n".join(lines),
            f"    ngrc reproduce {names} --out results",
        ]
    )
