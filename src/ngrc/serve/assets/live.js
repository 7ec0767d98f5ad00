// The page of one series: asks for what is new each second, keeps the rows that are shown, and draws.
import { drawBand } from "./band.js";
import { ask, banner, poll } from "./client.js";
import { drawCoverage } from "./coverage.js";
import { percent, shown } from "./numbers.js";
import { position, readable } from "./times.js";

const place = (name) => document.getElementById(name);
// A phone has room for fewer.
const chosen = { level: null, step: 1, shown: window.innerWidth < 640 ? 60 : 150 };
place("shown").value = String(chosen.shown);
let rows = new Map();
let newest = null;
let drawn = null;
let marked = null;

function address() {
  const after = newest === null ? 0 : newest.seq;
  const level = chosen.level === null ? "" : `&level=${chosen.level}`;
  return `recent?count=${chosen.shown}&after=${after}&step=${chosen.step}${level}`;
}

function forget() { rows = new Map(); newest = null; marked = null; }

async function once() {
  const asked = { ...chosen };
  const said = await ask(address());
  // Somebody chose another step or level meanwhile; those rows are asked for anew.
  if (asked.level !== chosen.level || asked.step !== chosen.step || asked.shown !== chosen.shown) { return; }
  if (newest !== null && said.seq < newest.seq) { forget(); return; }
  const fresh = newest === null || said.rows.length > 0;
  for (const row of said.rows) { rows.set(String(row.time), { ...row, x: position(row.time) }); }
  newest = said;
  offer(said);
  banner("degraded", said.trouble ? `The service is degraded, and new observations wait: ${said.trouble}` : "");
  alarms(said);
  state(said);
  place("content").hidden = false;
  if (fresh) { draw(); }
}

function kept() {
  const sorted = [...rows.values()].sort((a, b) => a.x - b.x || a.seq - b.seq);
  for (const row of sorted.slice(0, -chosen.shown)) { rows.delete(String(row.time)); }
  return sorted.slice(-chosen.shown);
}

function draw() {
  const view = { rows: kept(), coming: newest.forecasts || [], level: newest.level };
  if (view.rows.length === 0) { return; }
  drawn = drawBand(place("band"), view);
  drawCoverage(place("trail"), view);
  tiles(view);
  coming(view);
  if (marked !== null) { mark(marked); }
  document.documentElement.dataset.drawn = String(newest.seq);
}

// Choices appear with the first answer, and stay as they are chosen.
function offer(said) {
  if (chosen.level === null && said.levels.length) { chosen.level = said.level; }
  fill(place("level"), said.levels.map((level) => [level, percent(level)]), chosen.level);
  const steps = Array.from({ length: said.steps }, (_, at) => [at + 1, at ? `${at + 1} ahead` : "1 ahead"]);
  fill(place("step"), steps, chosen.step);
}

function fill(select, choices, value) {
  if (select.options.length === choices.length) { return; }
  select.replaceChildren(...choices.map(([key, words]) => new Option(words, key, false, key === value)));
}

function alarms(said) {
  const [one] = said.alarms;
  if (!one) { banner("alarm", ""); return; }
  const more = said.alarms.length > 1 ? ` So it is at ${said.alarms.length - 1} more steps and levels.` : "";
  const what = one.state === "low" ? "Too few outcomes lie inside their intervals" : "Too many outcomes lie inside their intervals";
  banner("alarm", `${what}: ${percent(one.coverage)} of the newest ${one.outcomes} at step ${one.step} and level ` +
    `${percent(one.level)}, where chance allows ${percent(one.low)} to ${percent(one.high)}.${more}`);
}

function state(said) {
  const [words, kind] = said.trouble ? ["degraded", "bad"] : said.alarms.length ? ["alarm", "bad"] :
    said.state === "gathering" ? ["gathering", "waiting"] : ["live", "good"];
  const chip = place("state");
  if (chip.textContent !== words) { chip.textContent = words; }
  chip.className = `chip ${kind}`;
}

function write(name, words, more) {
  place(name).textContent = words;
  place(name + "-more").textContent = more;
}

function tiles(view) {
  const last = view.rows[view.rows.length - 1], span = drawn.span;
  write("value", last.value === null ? "missing" : shown(last.value, span), readable(last.time));
  const next = view.coming[0];
  if (next) {
    const [lower, upper] = next.intervals[String(newest.level)] || [null, null];
    write("next", shown(next.mean, span),
      `${lower === null ? "−∞" : shown(lower, span)} to ${shown(upper, span)} at ${percent(newest.level)}`);
  } else { write("next", "–", `${newest.history || 0} gathered, not enough yet`); }
  const judged = view.rows.filter((row) => typeof row.coverage === "number").pop();
  if (judged) {
    write("coverage", percent(judged.coverage),
      `of ${judged.outcomes}; chance allows ${percent(judged.low)} to ${percent(judged.high)}`);
    place("coverage").className = judged.coverage < judged.low || judged.coverage > judged.high ? "out" : "";
  } else { write("coverage", "–", "no outcome yet"); }
  write("count", newest.seq.toLocaleString("en-GB"), newest.steps ? `${newest.steps} step${newest.steps > 1 ? "s" : ""} ahead` : "");
  place("trail-help").textContent = `Share of the newest ${newest.window} outcomes (fewer at first) inside their ` +
    `intervals. Shaded: where a method that is right stays in 999 of 1,000 windows; leaving it is an alarm.`;
}

function coming(view) {
  const levels = newest.levels.slice().sort((a, b) => a - b);
  const head = document.createElement("tr"), body = document.createDocumentFragment();
  const cell = (row, kind, words, name) => {
    const made = document.createElement(kind);
    made.textContent = words;
    made.className = name;
    if (kind === "th") { made.scope = row === head ? "col" : "row"; }
    row.append(made);
  };
  cell(head, "th", "Step", "n"); cell(head, "th", "Target", ""); cell(head, "th", "Forecast", "n");
  for (const level of levels) { cell(head, "th", percent(level), "n"); }
  for (const one of view.coming) {
    const row = document.createElement("tr");
    cell(row, "td", one.step, "n"); cell(row, "td", readable(one.target), "s"); cell(row, "td", shown(one.mean, drawn.span), "n");
    for (const level of levels) {
      const [lower, upper] = one.intervals[String(level)];
      cell(row, "td", `${lower === null ? "−∞" : shown(lower, drawn.span)} to ${shown(upper, drawn.span)}`, "n");
    }
    body.append(row);
  }
  place("coming").tHead.replaceChildren(head);
  place("coming").tBodies[0].replaceChildren(body);
}

// Reading numbers: by pointer or arrow keys; -1 is the newest spot.
function mark(at) {
  if (drawn === null) { return; }
  marked = Math.max(0, Math.min(drawn.spots.length - 1, at));
  const spot = drawn.spots[marked];
  drawn.cross.setAttribute("x1", spot.at);
  drawn.cross.setAttribute("x2", spot.at);
  drawn.cross.setAttribute("visibility", "visible");
  place("band-read").textContent = spot.row ? told(spot.row) : told({
    time: spot.coming.target, mean: spot.coming.mean,
    lower: spot.coming.intervals[String(newest.level)][0], upper: spot.coming.intervals[String(newest.level)][1] });
}

function told(row) {
  const parts = [readable(row.time)];
  if (row.value !== undefined) { parts.push(row.value === null ? "missing" : `value ${shown(row.value, drawn.span)}`); }
  if (typeof row.mean === "number") {
    const lower = row.lower === null ? "−∞" : shown(row.lower, drawn.span);
    parts.push(`forecast ${shown(row.mean, drawn.span)}, ${percent(newest.level)}: ${lower} to ${shown(row.upper, drawn.span)}`);
  }
  if (row.covered === true) { parts.push("inside"); }
  if (row.covered === false) { parts.push("outside"); }
  return parts.join(" · ");
}

function unmark() {
  marked = null;
  if (drawn !== null) { drawn.cross.setAttribute("visibility", "hidden"); }
  place("band-read").textContent = "\u00a0";
}

const board = place("band");
board.addEventListener("pointermove", function (event) {
  if (drawn === null) { return; }
  const at = event.clientX - board.getBoundingClientRect().left;
  let best = 0;
  drawn.spots.forEach((spot, index) => {
    if (Math.abs(spot.at - at) < Math.abs(drawn.spots[best].at - at)) { best = index; }
  });
  mark(best);
});
board.addEventListener("pointerleave", unmark);
board.addEventListener("keydown", function (event) {
  if (drawn === null) { return; }
  const end = drawn.spots.length - 1, from = marked === null ? end + 1 : marked;
  const moves = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: end };
  if (event.key === "Escape") { unmark(); } else if (event.key in moves) { event.preventDefault(); mark(moves[event.key]); }
});

const turn = poll(once, 1);
for (const [name, read] of [["level", Number], ["step", Number], ["shown", Number]]) {
  place(name).addEventListener("change", function (event) {
    chosen[name] = read(event.target.value);
    forget();
    turn();
  });
}
document.addEventListener("lost", function () {
  place("state").textContent = "not connected";
  place("state").className = "chip bad";
});
new ResizeObserver(function () { if (newest !== null) { draw(); } }).observe(board);
