// Times as they were sent: ISO 8601 or an index. A time without a zone is shown as written, on no other clock.
const MINUTE = 60e3, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [1e3, 5e3, 15e3, 30e3, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR,
  12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 91 * DAY, 365 * DAY, 1826 * DAY];

export function isDated(time) { return typeof time === "string" && /^\d{4}-\d\d/.test(time); }

// Where a time lies on the axis: milliseconds, or the index itself.
export function position(time) {
  if (!isDated(time)) { return Number(time); }
  const whole = time.length === 7 ? time + "-01" : time.replace(" ", "T");
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(whole.slice(10));
  return Date.parse(zoned || whole.length <= 10 ? whole : whole + "Z");
}

export function readable(time) {
  return isDated(time) ? String(time).replace("T", " ").replace(/:00$/, "") : "no. " + time;
}

function two(number) { return String(number).padStart(2, "0"); }

function label(moment, step) {
  const date = new Date(moment);
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  if (step >= 28 * DAY) { return day.slice(0, 7); }
  if (step >= DAY || (moment % DAY === 0)) { return day.slice(5); }
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return step < MINUTE ? `${clock}:${two(date.getUTCSeconds())}` : clock;
}

export function ticks(low, high, wanted, dated, nice) {
  if (!dated) {
    return nice(low, high, wanted).filter(Number.isInteger).map((at) => ({ at, text: String(at) }));
  }
  const step = STEPS.find((one) => (high - low) / one <= wanted) || STEPS[STEPS.length - 1];
  const marks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) { marks.push({ at, text: label(at, step) }); }
  return marks;
}
