"""Sections of the page after the forecasts: errors, diagnosis, model, data and source."""

from collections.abc import Mapping, Sequence
from typing import Any

from ngrc.report.parts import definitions, folded, items, mono, paragraphs
from ngrc.report.quality import Stretch
from ngrc.report.record import Record
from ngrc.report.tables import figure_of, trial_table
from ngrc.report.words import number, percent, steps
from ngrc.web.controls import figure
from ngrc.web.escaping import text
from ngrc.web.tables import Cell, Row, table


def errors_section(record: Record) -> str:
    """Histogram, quantiles, correlation, and scale over time and clock."""
    shape, horizon = record.residuals, record.subject.horizon
    bars = shape.histogram
    outside = bars.below + bars.above
    beyond = f" {outside:,} errors lie beyond the ends of the picture." if outside else ""
    overlap = (
        f" Errors of forecasts {steps(horizon)} ahead overlap: up to lag {horizon - 1}, in the shade, they may be "
        "correlated although nothing is wrong, and the lines are wider for it."
        if horizon > 1
        else ""
    )
    parts = [
        paragraphs(
            [
                f"{shape.count:,} errors out of sample, over calibration and test block: mean {number(shape.mean)}, "
                f"standard deviation {number(shape.scale)}. An error is the outcome less the "
                f"forecast{f'; {shape.units}' if shape.units else ''}."
            ]
        ),
        '<div class="pair">',
        figure(
            "histogram",
            "Histogram of the errors beside a Gaussian",
            f"Bars above the dashed line far out are heavy tails.{beyond}",
            heading="Histogram",
        ),
        figure(
            "qq",
            "Quantiles of the errors against Gaussian ones",
            "Points on the dashed line are Gaussian; ends that bend away from it are heavy tails.",
            heading="Quantiles",
        ),
        figure(
            "correlation",
            "Autocorrelation of the errors and of their sizes",
            "Bars beyond the dashed lines of their colour, which hold 95 % of what chance gives, are structure that "
            f"the forecast leaves behind; sizes above theirs are calm and stormy stretches.{overlap}",
            heading="Correlation",
        ),
        figure(
            "blocks",
            "Scale of the errors in consecutive stretches",
            "Bars of one height: the errors stay as large as they were.",
            heading="Scale over time",
        ),
    ]
    if shape.cycle is not None:
        parts.append(
            figure(
                "cycle",
                f"Scale and mean of the errors by {shape.cycle.name}",
                "Where forecasts are hard, and where they lean to one side.",
                heading=f"Scale by {shape.cycle.name}",
            )
        )
    return "".join((*parts, "</div>"))


def diagnosis_section(record: Record) -> str:
    """Which interval to trust, the evidence, and what the forecast leaves undone."""
    found, level = record.diagnosis, record.subject.level
    first, *others = found.reasons
    parts = [
        paragraphs([f"Use {found.method} at {percent(level)}: {found.evidence}."]),
        items(
            [
                f"The rules name {found.by_rules}: {first}.",
                *(f"They also find: {reason}." for reason in others),
                *(f"They would change with {change}." for change in found.changes),
            ]
        ),
        '<p class="quiet">Nothing of it rests on the test block.</p>',
    ]
    if found.trials:
        body = trial_table(found.trials, found.judged, level)
        if found.left_out:
            body += paragraphs([f"Not tried, as so many residuals take long: {', '.join(found.left_out)}."])
        parts.append(folded("What each method would have scored before the test", body, open_=True))
    parts.append("<h3>What the forecast leaves undone</h3>")
    parts.append(_findings(record))
    rows = (Row((Cell(name), figure_of(value), Cell(meaning))) for name, value, meaning in found.facts)
    parts.append(
        folded(
            "Numbers of the theory", table(("name", "number", "meaning"), rows, name="Numbers of the theory")
        )
    )
    return "".join(parts)


def _findings(record: Record) -> str:
    found = record.diagnosis
    if not found.enough:
        return paragraphs(
            [f"{found.looked:,} calibration residuals show nothing: too few, or without any error."]
        )
    beside = (
        paragraphs([f"Beside naive forecasts the model is {'; '.join(found.comparisons)}."])
        if found.comparisons
        else ""
    )
    if not found.findings:
        return beside + paragraphs(
            [f"Nothing is left in {found.looked:,} calibration residuals that can be shown."]
        )
    rows = (Row((Cell(one.kind), Cell(one.words), Cell(one.remedy))) for one in found.findings)
    return beside + table(("kind", "what was found", "what to try"), rows, name="Findings")


def model_section(record: Record) -> str:
    """The model in words, its equation, and what was selected."""
    model = record.model
    parts = [paragraphs([" ".join(model.sentences)]) if model.sentences else "", mono(model.call)]
    if model.equations:
        parts.append("<h3>Equation</h3>")
        parts.append(
            paragraphs(
                [
                    "In units of the standardised series x: t is the last observation known, t' the target's own time."
                ]
            )
        )
        parts += [mono(equation.line) for equation in model.equations]
    if model.selections:
        parts.append("<h3>What was selected, and how</h3>")
        parts += [_selection(one) for one in model.selections]
    return "".join(parts)


def _selection(one: Mapping[str, Any]) -> str:
    first, last = one["horizons"]
    where = f"horizon {first}" if first == last else f"horizons {first} to {last}"
    rows = f" on {one['validation_rows']:,} validation rows" if one["validation_rows"] else ""
    lead = f"For {where}, {one['tried']:,} candidates were tried in {one['seconds']:.1f} s{rows}."
    transform = (
        "" if one["transform"] is None else f" The model is fitted to the {one['transform']} of the series."
    )
    periods = [
        f"Period {period['steps']:g} ({period['name']}): {period['reason']}." for period in one["periods"]
    ]
    members = (
        Row((Cell(f"{100.0 * member['weight']:.1f} %", member["weight"]), Cell(member["words"])))
        for member in one["members"]
    )
    scores = (Row((Cell(name), Cell(f"{score:.3f}", score))) for name, score in one["references"].items())
    tried = (
        Row(
            (
                Cell("" if each["ratio"] is None else f"{each['ratio']:.3f}", each["ratio"]),
                Cell(str(each["columns"]), each["columns"]),
                Cell(each["words"]),
            )
        )
        for each in one["candidates"]
    )
    caption = "Error on the validation rows, relative to that of repeating the last value"
    body = [
        paragraphs([lead + transform]),
        items(periods),
        table(("weight", "columns of the member"), members, name=f"Members, {where}"),
        table(("forecast", "relative error"), scores, caption=caption),
        folded(
            f"The best {len(one['candidates'])} candidates",
            table(("relative error", "columns", "candidate"), tried, name=f"Candidates, {where}"),
        ),
    ]
    # The other searches differ little, and most readers of one have read them all.
    return folded(f"Search for {where}", "".join(body), open_=first == 1 or first == last)


def data_section(record: Record) -> str:
    """Missing values, spikes, flat stretches, and what was assumed."""
    state = record.quality
    pairs = [
        ("observations", f"{state.observations - state.filled:,}, {state.distinct:,} of them different"),
        ("missing, carried forward", f"{state.filled:,}"),
        ("missing at the start, dropped", f"{state.dropped:,}"),
        ("smallest and largest", f"{number(state.least)} and {number(state.largest)}"),
        ("mean and deviation", f"{number(state.mean)} and {number(state.deviation)}"),
        ("isolated spikes", f"{state.spike_count:,}"),
        ("stretches of missing values", f"{state.gap_count:,}"),
        ("long stretches of one value", f"{state.flat_count:,}"),
    ]
    parts = [definitions(pairs)]
    if state.spikes:
        rows = (
            Row((Cell(one.time), figure_of(one.value), Cell(f"{one.deviations:+.1f}", one.deviations)))
            for one in state.spikes
        )
        parts.append("<h3>Isolated spikes</h3>")
        parts.append(paragraphs(["They may be data errors, and scores can rest on them: look at them."]))
        parts.append(table(("time", "value", "robust deviations"), rows, name="Isolated spikes"))
    parts.append(_stretches("Missing values, filled with the value before them", state.gaps, state.gap_count))
    parts.append(_stretches("Long stretches of one value", state.flats, state.flat_count))
    parts.append("<h3>What was assumed</h3>")
    parts.append(items(record.subject.assumed))
    return "".join(parts)


def _stretches(title: str, found: Sequence[Stretch], count: int) -> str:
    """A heading and a table of stretches; nothing where there are none."""
    if not found:
        return ""
    rows = (
        Row((Cell(one.first), Cell(one.last), Cell(f"{one.count:,}", one.count), figure_of(one.value)))
        for one in found
    )
    caption = "" if len(found) == count else f"The longest {len(found)} of {count:,}"
    listed = table(("first", "last", "observations", "value"), rows, caption=caption, name=title)
    return f"<h3>{text(title)}</h3>{listed}"


def source_section(record: Record) -> str:
    """The exact command, versions, and when."""
    source = record.provenance
    versions = ", ".join(f"{name} {one}" for name, one in source.versions.items())
    pairs = (("made", f"{source.made}, in {source.seconds:.1f} s"), ("versions", versions))
    return "".join(
        (
            mono(source.command),
            definitions(pairs),
            paragraphs(["This file holds everything that it shows and asks nothing of any other."]),
            f'<p class="quiet">{text("All numbers as JSON stand in the element with the id record.")}</p>',
        )
    )
