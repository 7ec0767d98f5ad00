"""Times as people write them: the same moments in many spellings."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ngrc.series import Series

Reader = Callable[..., Series]
Refusal = Callable[..., str]

DAYS = np.datetime64("2023-12-20") + np.arange(40)
HOURS = np.datetime64("2023-12-30T20", "h") + np.arange(40)
MONTHS = np.datetime64("2022-11") + np.arange(40)


def table(times: list[Any], header: str = "when;y") -> str:
    return header + "\n" + "".join(f"{time};{k * k % 17}.5\n" for k, time in enumerate(times))


def check(series: Series, times: Any) -> None:
    np.testing.assert_array_equal(series.values, np.arange(len(times)) ** 2 % 17 + 0.5)
    assert series.times is not None
    np.testing.assert_array_equal(series.times, times)


def spell(times: Any, signs: str) -> list[str]:
    return [time.astype("M8[s]").item().strftime(signs) for time in times]


@pytest.mark.parametrize(
    "signs",
    [
        "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%y", "%m/%d/%y", "%d-%b-%y", "%d %B %Y", "%B %d, %Y", "%Y%m%d",
        "%A, %d %b %Y",
    ],
)  # fmt: skip
def test_days(read: Reader, signs: str) -> None:
    check(read(table(spell(DAYS, signs))), DAYS)


@pytest.mark.parametrize(
    "signs",
    [
        "%Y-%m-%dT%H", "%Y-%m-%d %H", "%d.%m.%Y %H:%M", "%d.%m.%Y, %H:%M", "%m/%d/%Y %I:%M %p", "%m/%d/%Y %I:%M:%S%p",
        "%m/%d/%Y %I %p", "%d.%m.%Y %H Uhr", "%Y-%m-%d %H:%M:%S,000", "%Y-%m-%dT%H:%M+00:00[UTC]",
        "%Y%m%d%H", "%Y%m%d%H%M", "%Y%m%d%H%M%S", "%d %b %Y %H:%M", "%a, %d %b %Y %H:%M:%S GMT", "%d.%m.%y %H:%M",
    ],
)  # fmt: skip
def test_hours(read: Reader, signs: str) -> None:
    check(read(table(spell(HOURS, signs), "time;y")), HOURS)


@pytest.mark.parametrize(
    "signs", ["%b-%y", "%b %Y", "%B %Y", "%Y-%m", "%m/%Y", "%m.%Y", "%YM%m", "%Y%m", "%b %y"]
)
def test_months(read: Reader, signs: str) -> None:
    check(read(table(spell(MONTHS.astype("M8[D]"), signs), "month;y")), MONTHS.astype("M8[D]"))


@pytest.mark.parametrize(
    "words",
    [
        "Januar Februar M\u00e4rz April Mai Juni Juli August September Oktober November Dezember",
        "Jan. Feb. Mrz. Apr. Mai Jun. Jul. Aug. Sep. Okt. Nov. Dez.",
        "janvier f\u00e9vrier mars avril mai juin juillet ao\u00fbt septembre octobre novembre d\u00e9cembre",
        "janv. f\u00e9vr. mars avr. mai juin juil. ao\u00fbt sept. oct. nov. d\u00e9c.",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    ],
)
def test_months_of_other_languages(read: Reader, words: str) -> None:
    names = words.split()
    items = [day.item() for day in DAYS]
    check(read(table([f"{day.day}. {names[day.month - 1]} {day.year}" for day in items], "Datum;y")), DAYS)
    months = [month.astype("M8[D]").item() for month in MONTHS]
    check(
        read(table([f"{names[month.month - 1]} {month.year}" for month in months], "Monat;y")),
        MONTHS.astype("M8[D]"),
    )


def test_quarters_weeks_and_years(read: Reader) -> None:
    quarters = np.datetime64("2015-01") + 3 * np.arange(40)
    pairs = [(2015 + k // 4, k % 4 + 1) for k in range(40)]
    for form in ("{0}Q{1}", "{0}-Q{1}", "Q{1} {0}", "Q{1}/{0}"):
        check(read(table([form.format(*pair) for pair in pairs])), quarters.astype("M8[D]"))
    weeks = np.datetime64("2023-10-02") + 7 * np.arange(40)
    series = read(table([f"{week.item():%G-W%V}" for week in weeks], "week;y"))
    check(series, weeks)
    assert "every week" in series.notes[0]
    check(read(table(list(range(1990, 2030)), "year;y")), np.arange(1990, 2030))


@pytest.mark.parametrize(("unit", "factor"), [("seconds", 1), ("milliseconds", 1000), ("nanoseconds", 10**9)])
@pytest.mark.parametrize("name", ["timestamp", "when", "Zeit"])
def test_unix_times(read: Reader, unit: str, factor: int, name: str) -> None:
    ticks = [int(hour.astype("M8[s]").astype(np.int64)) * factor for hour in HOURS]
    series = read(table(ticks, f"{name};y"))
    check(series, HOURS)
    assert f"times read as Unix {unit}" in series.notes
    assert "every hour" in series.notes[0]


def test_midnight_as_the_end_of_the_day(read: Reader) -> None:
    ends = HOURS + 1
    tokens = [
        f"{(end - 1).astype('M8[D]')} 24:00"
        if str(end).endswith("T00")
        else str(end).replace("T", " ") + ":00"
        for end in ends
    ]
    assert any("24:00" in token for token in tokens)
    series = read(table(tokens))
    check(series, ends)
    assert series.style.pattern == "%Y-%m-%d %H:%M"


@pytest.mark.parametrize(
    "form",
    [
        "{0:%d.%m.%Y %H:%M} - {1:%d.%m.%Y %H:%M}",
        "{0:%d/%m/%Y %H:%M:%S} - {1:%d/%m/%Y %H:%M:%S}",
        "{0:%d.%m.%Y %H:%M} \u2013 {1:%H:%M}",
        "{0:%Y-%m-%dT%H:%MZ}/{1:%Y-%m-%dT%H:%MZ}",
        "{0:%Y-%m-%dT%H:%M}/PT1H",
        "{0:%d.%m.%Y %H:%M} bis {1:%d.%m.%Y %H:%M}",
    ],
)
def test_intervals_are_taken_by_their_starts(read: Reader, form: str) -> None:
    moments = [hour.astype("M8[s]").item() for hour in HOURS]
    tokens = [form.format(moment, moment + dt.timedelta(hours=1)) for moment in moments]
    series = read(table(tokens, "MTU (UTC);y"))
    check(series, HOURS)
    assert any("taken by their starts" in note for note in series.notes)


def test_date_and_hour_in_two_columns(read: Reader) -> None:
    for form in (
        "{0:%d.%m.%Y};{0:%H:%M}",
        "{0:%Y-%m-%d};{0.hour}",
        "{0:%Y-%m-%d};{0:%H:%M} - {1:%H:%M}",
        "{0:%Y%m%d};{0.hour}h",
    ):
        moments = [hour.astype("M8[s]").item() for hour in HOURS]
        tokens = [form.format(moment, moment + dt.timedelta(hours=1)) for moment in moments]
        for header in ("date;time;y", "Datum;Uhrzeit;Wert"):
            check(read(table(tokens, header)), HOURS)


def test_day_or_month_first_is_settled_by_the_column(read: Reader, refused: Refusal) -> None:
    check(read(table(spell(DAYS[:20], "%d/%m/%Y"))), DAYS[:20])
    middles = (np.datetime64("2020-01") + np.arange(12)).astype("M8[D]") + 14
    check(read(table(spell(middles, "%m/%d/%Y"))), middles)
    # The day first makes the first days of the months, the month first the first days of January.
    assert "day or the month first" in refused(table(spell(middles - 14, "%d/%m/%Y")))
    message = refused(table(["01/02/2024", "02/02/2024", "03/02/2024"]))
    assert "day or the month first; write them as 2024-01-31" in message


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (
            ["2024-01-01", "soon", "2024-01-03", "2024-01-04"],
            "holds 'soon' where a time like '2024-01-01' belongs",
        ),
        (["2024-01-01", "", "2024-01-03", "2024-01-04"], "holds no time where"),
        (["2024-02-28", "2024-02-29", "2024-02-30", "2024-03-01"], "holds '2024-02-30'"),
        (["2024-01-01 00:00", "2024-01-01 25:00", "2024-01-01 02:00"], "holds '2024-01-01 25:00'"),
        (["spring", "summer", "autumn"], "cannot be read as one; write 2024-01-31"),
    ],
)
def test_times_that_cannot_be_read(refused: Refusal, times: list[str], words: str) -> None:
    assert words in refused(table(times, "date;y"))
