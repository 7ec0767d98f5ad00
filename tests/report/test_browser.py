"""The page in a browser: charts draw, every control acts, nothing fails, and no request leaves the file."""

from pathlib import Path
from typing import Any

import pytest

from ngrc.report import Report
from ngrc.study.harness.output import write
from tests.browser import Visit
from tests.study.harness.test_output import outcome, target

from .conftest import LEVELS, METHODS, NAME, Visitor
from .test_page import CHARTS

INK = "document.getElementById('chart-tested').layout.font.color"


def traces(page: Any, chart: str) -> list[str]:
    names: list[str] = page.evaluate(f"document.getElementById('chart-{chart}').data.map(one => one.name)")
    return names


def background(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def settles(page: Any, colour: str) -> None:
    """The page has that background, at once or after some moments of a busy machine."""
    page.wait_for_function("one => getComputedStyle(document.body).backgroundColor === one", arg=colour)


def wait_for_ink(page: Any, colour: str) -> None:
    """Charts are drawn anew some moments after the medium changes."""
    for _ in range(200):
        if page.evaluate(INK) == colour:
            return
        page.wait_for_timeout(50)
    pytest.fail(f"charts are drawn in {page.evaluate(INK)}, not in {colour}")


def quiet(visit: Visit, path: Path) -> None:
    """Nothing was said, and nothing asked for but the file itself."""
    assert visit.said == []
    assert visit.asked == [path.as_uri()]


@pytest.fixture(scope="module")
def desk(saved: Path, open_page: Visitor) -> Visit:
    """One visit for tests that leave the page as others can use it."""
    return open_page(saved)


def test_every_chart_draws_and_nothing_is_said_or_asked_for(saved: Path, desk: Visit) -> None:
    page = desk.page
    for chart in CHARTS:
        place = page.locator(f"#chart-{chart}")
        assert place.locator("svg.main-svg").count() >= 1, chart
        # Lines, bars or points, not an empty frame.
        assert place.locator(".trace path, .points path").count() >= 1, chart
    # A browser's title has a blank where the name has a line separator.
    assert page.locator("h1").text_content() == f"{NAME}: forecast report"
    assert "</script><script>alert(1)</script>" in page.title()
    quiet(desk, saved)


def test_zoom_and_pan_by_keyboard_and_a_zoom_outlives_a_choice(saved: Path, desk: Visit) -> None:
    page = desk.page

    def view() -> list[float]:
        found: list[float] = page.evaluate(
            "document.getElementById('chart-coming').layout.xaxis.range"
            ".map(x => Date.parse(String(x).replace(' ', 'T') + 'Z'))"
        )
        return found

    def press(move: str) -> list[float]:
        page.locator(f"button[data-chart=coming][data-move={move}]").focus()
        page.keyboard.press("Enter")
        return view()

    first = view()
    whole = press("all")
    inner = press("in")
    assert inner[1] - inner[0] == pytest.approx((whole[1] - whole[0]) / 2)
    earlier = press("earlier")
    assert earlier[0] == pytest.approx(inner[0] - (inner[1] - inner[0]) / 2)
    assert press("later") == pytest.approx(inner)
    assert press("out") == pytest.approx(whole)
    before = press("in")
    low, high = page.evaluate("document.getElementById('chart-coming').layout.yaxis.range")
    assert low < high
    box = page.locator("input[data-chart=coming][name=level]").first
    box.uncheck()
    assert view() == pytest.approx(before)
    box.check()
    assert press("recent") == pytest.approx(first)
    quiet(desk, saved)


def test_what_has_the_focus_shows_it(desk: Visit) -> None:
    page = desk.page
    page.locator("h1").click()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_tables_sort_by_number_and_by_word(saved: Path, desk: Visit) -> None:
    page = desk.page
    region = page.get_by_role("region", name="Scores of the intervals")

    def column(place: int) -> list[str]:
        return [str(words) for words in region.locator(f"tbody td:nth-child({place})").all_text_contents()]

    region.get_by_role("button", name="Winkler").click()
    scores = [float(words.replace(",", "")) for words in column(6)]
    assert scores == sorted(scores)
    assert region.locator("th[aria-sort=ascending]").text_content() == "Winkler"
    region.get_by_role("button", name="Winkler").press("Enter")
    assert [float(words.replace(",", "")) for words in column(6)] == scores[::-1]
    region.get_by_role("button", name="method").click()
    assert column(1) == sorted(column(1))
    assert region.locator("th[aria-sort]").count() == 1
    best = region.locator("tr.best")
    assert best.count() == len(LEVELS)
    assert all("best" in row for row in best.all_text_contents())
    # Numbers with a sign and a gap sort too.
    region.get_by_role("button", name="error, points").click()
    errors = [float(words) for words in column(4)]
    assert errors == sorted(errors)
    quiet(desk, saved)


def test_every_chart_has_a_table_that_opens(saved: Path, report: Report, desk: Visit) -> None:
    page = desk.page
    folded = page.locator("details.data")
    for place in range(folded.count()):
        details = folded.nth(place)
        if details.get_attribute("open") is None:
            details.locator("summary").focus()
            page.keyboard.press("Enter")
        details.locator("tbody tr").first.wait_for()
    rows = page.locator("details[data-of=tested] tbody tr")
    assert rows.count() == report.record.outcomes.size
    cells = rows.first.locator("td").all_text_contents()
    assert cells[0] == report.record.subject.test_first
    assert float(cells[1]) == pytest.approx(report.record.outcomes[0], rel=1e-3)
    quiet(desk, saved)


def test_methods_and_levels_act_on_their_charts(saved: Path, report: Report, visit: Visitor) -> None:
    opened, shown = visit(saved), report.record.shown
    page = opened.page

    def box(chart: str, name: str, value: str) -> Any:
        return page.locator(f"input[data-chart={chart}][name={name}][value='{value}']")

    assert {"observed", f"{shown} 95 %", f"{shown} 50 %"} <= set(traces(page, "tested"))
    other = next(name for name in METHODS if name != shown)
    assert traces(page, "trailing") == [shown]
    box("test", "method", other).check()
    assert sorted(traces(page, "trailing")) == sorted([shown, other])
    assert f"{other} 95 %" in traces(page, "tested")
    assert other in traces(page, "calibration")
    box("test", "level", "0.95").uncheck()
    assert f"{shown} 95 %" not in traces(page, "tested")
    # Charts of one level show the highest that is left.
    for chart in ("trailing", "width", "winkler"):
        assert page.evaluate(f"document.getElementById('chart-{chart}').layout.shapes[0].y0") == 0.8
    lead = report.record.coming.method if report.record.coming is not None else ""
    assert f"{lead} 95 %" in traces(page, "coming")
    box("coming", "level", "0.95").uncheck()
    assert f"{lead} 95 %" not in traces(page, "coming")
    assert f"{lead} 80 %" in traces(page, "coming")
    # Coming values of every method, and the table with them.
    second = next(name for name in METHODS if name != lead)
    box("coming", "method", second).check()
    assert {f"{lead} 80 %", f"{second} 80 %"} <= set(traces(page, "coming"))
    box("coming", "method", lead).uncheck()
    assert f"{second} lower 80 %" in page.locator("details[data-of=coming] th").all_text_contents()
    assert f"{lead} lower 80 %" not in page.locator("details[data-of=coming] th").all_text_contents()
    # Nothing ticked at all leaves the outcomes, and no error.
    for name in (shown, other):
        box("test", "method", name).uncheck()
    assert traces(page, "tested") == ["observed", "forecast"]
    assert traces(page, "trailing") == []
    quiet(opened, saved)


def test_light_and_dark_by_system_and_by_choice(saved: Path, visit: Visitor) -> None:
    opened = visit(saved, scheme="dark")
    page = opened.page
    dark = background(page)
    dark_ink = page.evaluate(INK)
    page.get_by_label("Appearance").select_option("light")
    light = background(page)
    assert light == "rgb(255, 255, 255)"
    assert dark != light
    assert page.evaluate(INK) != dark_ink
    page.get_by_label("Appearance").select_option("system")
    settles(page, dark)
    page.emulate_media(color_scheme="light")
    settles(page, light)
    page.get_by_label("Appearance").select_option("dark")
    settles(page, dark)
    # The choice is kept for the next visit.
    page.reload()
    page.wait_for_selector("html[data-drawn]", state="attached")
    settles(page, dark)
    assert opened.said == []


def test_no_button_offers_to_upload_the_data(saved: Path, visit: Visitor) -> None:
    page = visit(saved).page
    titles = page.eval_on_selector_all(
        ".modebar-btn", "all => all.map(one => one.dataset.title || one.getAttribute('aria-label') || '')"
    )
    assert len(titles) > 3
    assert not [title for title in titles if "share" in title.lower() or "cloud" in title.lower()]


def test_a_phone_scrolls_in_one_direction_only(saved: Path, visit: Visitor) -> None:
    opened = visit(saved, width=375)
    page = opened.page
    for width in (375, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    wide = page.evaluate(
        "Array.from(document.querySelectorAll('.chart svg.main-svg')).map(one => one.getBoundingClientRect().width)"
    )
    assert len(wide) >= len(CHARTS)
    assert all(0 < one <= 375 for one in wide)
    quiet(opened, saved)


def test_print_is_light_and_without_controls(saved: Path, visit: Visitor) -> None:
    opened = visit(saved, scheme="dark")
    page = opened.page
    page.emulate_media(media="print")
    assert background(page) == "rgb(255, 255, 255)"
    assert not page.locator(".choices").first.is_visible()
    assert not page.locator(".theme").is_visible()
    assert page.locator("#chart-tested svg.main-svg").first.is_visible()
    page.emulate_media(media="screen")
    wait_for_ink(page, "#ececee")
    # What stands on the sheet is what is drawn when the browser is about to print: light, and no wider than paper.
    page.evaluate(
        "window.addEventListener('beforeprint', () => { window.sheet = [document.getElementById('chart-tested')"
        ".querySelector('svg.main-svg').getBoundingClientRect().width, " + INK + "]; })"
    )
    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF")
    assert len(paper) > 50_000
    width, ink = page.evaluate("window.sheet")
    assert 400 < width <= 660
    assert ink == "#1d1d1f"
    wait_for_ink(page, "#ececee")
    quiet(opened, saved)


def test_the_policy_holds_against_what_tries(saved: Path, visit: Visitor) -> None:
    """A script, a picture and a request that were not in the page when it was written."""
    page = visit(saved).page
    page.evaluate(
        """() => new Promise(done => {
          window.broken = [];
          document.addEventListener("securitypolicyviolation", event => {
            window.broken.push(event.effectiveDirective);
            if (window.broken.length === 3) { done(); }
          });
          const script = document.createElement("script");
          script.textContent = "window.harm = 1";
          document.body.append(script);
          const image = document.createElement("img");
          image.src = "https://example.invalid/a.png";
          document.body.append(image);
          fetch("https://example.invalid/b").catch(() => null);
        })"""
    )
    assert sorted(page.evaluate("window.broken")) == ["connect-src", "img-src", "script-src-elem"]
    assert page.evaluate("window.harm") is None


def test_a_page_of_the_study_sorts_and_changes_its_appearance(tmp_path: Path, visit: Visitor) -> None:
    path = write(target(), outcome(), tmp_path)
    opened = visit(path, drawn=False)
    page = opened.page
    region = page.get_by_role("region", name="printed numbers")
    region.get_by_role("button", name="ours").click()
    cells = region.locator("tbody td:nth-child(3)")
    # A cell without a number stays behind in either direction.
    assert cells.all_text_contents() == ["0.5", "2", ""]
    region.get_by_role("button", name="ours").press("Enter")
    assert cells.all_text_contents() == ["2", "0.5", ""]
    light = background(page)
    page.get_by_label("Appearance").select_option("dark")
    assert background(page) != light
    page.set_viewport_size({"width": 375, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    quiet(opened, path)
