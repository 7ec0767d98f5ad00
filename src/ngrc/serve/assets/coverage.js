// The trailing coverage, what chance allows around the level, and where it is left.
import { Picture, runs, scale } from "./drawing.js";
import { nice, percent } from "./numbers.js";

const MARGIN = { left: 58, right: 64, top: 12, bottom: 10 };

export function drawCoverage(place, view) {
  const rows = view.rows.filter((row) => typeof row.coverage === "number");
  if (rows.length === 0) {
    const words = document.createElement("p");
    words.className = "quiet empty";
    words.textContent = "No forecast of this step has met its outcome yet.";
    place.replaceChildren(words);
    return;
  }
  const picture = new Picture(place, MARGIN);
  // Not down to the bounds of the first outcomes, which are anything from 0 to 100 %: they are drawn to the edge.
  const newest = rows[rows.length - 1];
  const low = Math.max(0, Math.min(newest.low, ...rows.map((row) => row.coverage)) - 0.03);
  const y = scale(low, 1, picture.bottom, picture.top);
  const first = view.rows[0], last = view.rows[view.rows.length - 1];
  const x = scale(first.x, Math.max(last.x, first.x + 1e-9), picture.left + 4, picture.right - 4);
  const width = rows.length === 1 ? 3 : 0;

  for (const at of nice(low, 1, 4)) {
    picture.add("line", { x1: picture.left, x2: picture.right, y1: y(at), y2: y(at), class: "grid" });
    picture.add("text", { x: picture.left - 7, y: y(at) + 4, class: "tick end" }, percent(at));
  }
  picture.inside(function () {
    picture.area(rows.flatMap((row) => spread(x(row.x), y(row.high), width)),
      rows.flatMap((row) => spread(x(row.x), y(row.low), width)), "chance");
  });
  picture.add("line", { x1: picture.left, x2: picture.right, y1: y(view.level), y2: y(view.level), class: "nominal" });
  picture.line(rows.map((row) => [x(row.x), y(row.coverage)]), "trail");
  for (const run of runs(rows, isOut)) {
    picture.line(run.map((row) => [x(row.x), y(row.coverage)]), "trail out");
  }
  const out = isOut(newest);
  picture.add("circle", { cx: x(newest.x), cy: y(newest.coverage), r: 4.5, class: out ? "newest out" : "newest" });
  // Beside the line's end, and never beyond the edge.
  const up = Math.min(picture.bottom - 2, Math.max(picture.top + 6, y(newest.coverage))) + 5;
  picture.add("text", { x: picture.right + 6, y: up, class: out ? "tag out" : "tag" }, percent(newest.coverage));
  picture.show(place);
}

export function isOut(row) { return row.coverage < row.low || row.coverage > row.high; }

function spread(at, up, width) { return width ? [[at - width, up], [at + width, up]] : [[at, up]]; }
