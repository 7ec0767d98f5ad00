// Outcomes, the intervals that were said of them, and the fan of what is to come.
import { Picture, element, runs, scale } from "./drawing.js";
import { marks, nice } from "./numbers.js";
import { isDated, ticks } from "./times.js";

const MARGIN = { left: 58, right: 14, top: 14, bottom: 26 };

// Lowest and highest of what is to be seen; infinite ends are drawn to the edge and do not count.
export function extent(view) {
  const seen = [];
  for (const row of view.rows) { seen.push(row.value, row.lower, row.upper, row.mean); }
  for (const one of view.coming) {
    for (const ends of Object.values(one.intervals)) { seen.push(...ends); }
    seen.push(one.mean);
  }
  const finite = seen.filter((value) => typeof value === "number");
  if (finite.length === 0) { return [0, 1]; }
  let low = Math.min(...finite), high = Math.max(...finite);
  if (low === high) { low -= Math.abs(low) * 0.05 || 1; high += Math.abs(high) * 0.05 || 1; }
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}

export function drawBand(place, view) {
  const picture = new Picture(place, MARGIN);
  const [low, high] = extent(view);
  const y = scale(low, high, picture.bottom, picture.top);
  const width = picture.right - picture.left;
  const ahead = view.coming.length;
  // Few steps to come would be a sliver beside hundreds of outcomes: they have room of their own, on their own scale.
  const share = ahead ? Math.min(0.34, Math.max(ahead / (ahead + view.rows.length), Math.min(0.3, 110 / width))) : 0;
  const now = picture.right - share * width;
  const first = view.rows[0], last = view.rows[view.rows.length - 1];
  const x = scale(first.x, Math.max(last.x, first.x + 1e-9), picture.left + 4, now - (ahead ? 6 : 2));
  const gap = ahead ? (picture.right - 10 - now) / ahead : 0;
  const clamp = (value, edge) => (value === null || value === undefined ? edge : y(value));

  if (ahead) {
    picture.add("rect", { x: now, y: picture.top, width: picture.right - now,
      height: picture.bottom - picture.top, class: "ahead" });
  }
  const levels = nice(low, high, 6);
  const words = marks(levels);
  levels.forEach(function (at, rank) {
    picture.add("line", { x1: picture.left, x2: picture.right, y1: y(at), y2: y(at), class: "grid" });
    picture.add("text", { x: picture.left - 7, y: y(at) + 4, class: "tick end" }, words[rank]);
  });
  const room = Math.max(2, Math.floor((now - picture.left) / 78));
  for (const mark of ticks(first.x, last.x, room, isDated(last.time), nice)) {
    const at = x(mark.at);
    if (at > now - 36 && ahead) { continue; }
    picture.add("line", { x1: at, x2: at, y1: picture.bottom, y2: picture.bottom + 4, class: "axis" });
    picture.add("text", { x: at, y: picture.bottom + 18, class: "tick middle" }, mark.text);
  }

  picture.inside(function () {
    const said = runs(view.rows, (row) => row.covered === true || row.covered === false);
    for (const run of said) {
      // A lone row has no width of its own; a short bar stands for its band.
      const wide = run.length > 1 ? run.map((row) => [x(row.x), row]) :
        [[x(run[0].x) - 2, run[0]], [x(run[0].x) + 2, run[0]]];
      picture.area(wide.map(([at, row]) => [at, clamp(row.upper, picture.top)]),
        wide.map(([at, row]) => [at, clamp(row.lower, picture.bottom)]), "past");
    }
    for (const run of runs(view.rows, (row) => typeof row.mean === "number")) {
      picture.line(run.map((row) => [x(row.x), y(row.mean)]), "said");
    }
    const values = view.rows.filter((row) => row.value !== null);
    for (const run of runs(view.rows, (row) => row.value !== null)) {
      picture.line(run.map((row) => [x(row.x), y(row.value)]), "value");
    }
    const dense = values.length > 400 ? 1.4 : 2.1;
    for (const row of values) {
      const at = x(row.x), up = y(row.value);
      if (row.covered === false) {
        picture.add("path", { d: `M${at},${up - 5.5}L${at + 5.5},${up}L${at},${up + 5.5}L${at - 5.5},${up}Z`,
          class: "outside" });
      } else {
        picture.add("circle", { cx: at.toFixed(1), cy: up.toFixed(1), r: dense,
          class: row.covered === true ? "inside" : "unsaid" });
      }
    }
    if (ahead) { fan(picture, view, { now, gap, y, last, clamp }); }
  });
  if (ahead) {
    picture.add("line", { x1: now, x2: now, y1: picture.top, y2: picture.bottom, class: "now" });
    picture.add("text", { x: now, y: picture.bottom + 18, class: "tick middle strong" }, "now");
    picture.add("text", { x: picture.right, y: picture.bottom + 18, class: "tick end" }, "+" + ahead);
  }
  const cross = element("line", { x1: 0, x2: 0, y1: picture.top, y2: picture.bottom, class: "cross" });
  cross.setAttribute("visibility", "hidden");
  picture.svg.append(cross);
  picture.show(place);
  // Where every row and every coming step lies, for pointing at them.
  const spots = view.rows.map((row) => ({ at: x(row.x), row }));
  view.coming.forEach((one, place_) => spots.push({ at: now + gap * (place_ + 1), coming: one }));
  return { spots, cross, span: high - low };
}

function fan(picture, view, { now, gap, y, last, clamp }) {
  const levels = Object.keys(view.coming[0].intervals).sort((a, b) => Number(b) - Number(a));
  const begin = last.value === null ? null : [now, y(last.value)];
  levels.forEach(function (level, rank) {
    const above = [], below = [];
    if (begin) { above.push(begin); below.push(begin); }
    view.coming.forEach(function (one, place) {
      const [lower, upper] = one.intervals[level];
      above.push([now + gap * (place + 1), clamp(upper, picture.top)]);
      below.push([now + gap * (place + 1), clamp(lower, picture.bottom)]);
    });
    picture.area(above, below, `fan rank-${Math.min(rank, 3)}${Number(level) === view.level ? " chosen" : ""}`);
  });
  const path = view.coming.map((one, place) => [now + gap * (place + 1), y(one.mean)]);
  picture.line(begin ? [begin, ...path] : path, "coming");
  for (const [at, up] of path) { picture.add("circle", { cx: at, cy: up, r: 3, class: "coming-point" }); }
}
