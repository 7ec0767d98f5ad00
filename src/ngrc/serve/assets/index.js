// All series and their state, asked for every two seconds.
import { ask, banner, poll } from "./client.js";
import { percent, shown } from "./numbers.js";
import { readable } from "./times.js";

const table = document.getElementById("series");
const summary = document.getElementById("summary");

function cell(row, words, kind) {
  const made = document.createElement("td");
  made.className = kind || "";
  if (words instanceof Node) { made.append(words); } else { made.textContent = words; }
  row.append(made);
}

function line(one) {
  const row = document.createElement("tr");
  const link = document.createElement("a");
  link.href = `series/${encodeURIComponent(one.name)}/live`;
  link.textContent = one.name;
  cell(row, link);
  const alarms = (one.alarms || []).length;
  const chip = document.createElement("span");
  chip.textContent = alarms ? "alarm" : one.state;
  chip.className = "chip " + (alarms ? "bad" : one.state === "gathering" ? "waiting" : "good");
  cell(row, chip);
  cell(row, one.seq === undefined ? "–" : one.value === null ? "missing" : shown(one.value, 0), "n");
  cell(row, one.seq === undefined ? "–" : readable(one.time), "s");
  // The highest level one step ahead, as on the page of the series when it opens.
  const judged = (one.coverage || []).slice().sort((a, b) => b.level - a.level)[0];
  cell(row, judged ? `${percent(judged.coverage)} at ${percent(judged.level)}` : "–", "n");
  cell(row, judged ? `${percent(judged.low)} to ${percent(judged.high)}` : "–", "s");
  return row;
}

async function once() {
  const said = await ask("series");
  const alarms = said.series.filter((one) => (one.alarms || []).length).length;
  banner("degraded", said.trouble ? `The service is degraded, and new observations wait: ${said.trouble}` : "");
  const words = said.series.length === 0 ? "No series yet: make one with PUT /series/NAME." :
    `${said.series.length} series, ${alarms ? alarms + " with an alarm" : "no alarm"}.`;
  if (summary.textContent !== words) { summary.textContent = words; }
  table.hidden = said.series.length === 0;
  table.tBodies[0].replaceChildren(...said.series.map(line));
  document.documentElement.dataset.drawn = String(said.series.length);
}

poll(once, 2);
