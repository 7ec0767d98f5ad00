// Numbers for people, and round numbers for axes.
export function nice(low, high, wanted) {
  const span = high - low;
  if (!(span > 0)) { return [low]; }
  const rough = span / Math.max(1, wanted);
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = power * [1, 2, 2.5, 5, 10].find((one) => one * power >= rough * 0.999);
  const ticks = [];
  // By counting, not adding up: a hundred small steps would drift.
  for (let place = Math.ceil(low / step - 1e-9); place * step <= high + 1e-9 * step; place += 1) {
    ticks.push(place * step);
  }
  return ticks;
}

// Marks of an axis, all with as many decimals as the one that needs the most.
export function marks(ticks) {
  const size = Math.max(...ticks.map(Math.abs));
  if (size >= 1e7 || (size > 0 && size < 1e-4)) { return ticks.map((at) => at.toExponential(1).replace("e+", "e")); }
  const whole = (at, power) => Math.abs(at * power - Math.round(at * power)) < 1e-6 * Math.max(1, Math.abs(at * power));
  let decimals = 0;
  while (decimals < 8 && !ticks.every((at) => whole(at, Math.pow(10, decimals)))) { decimals += 1; }
  return ticks.map((at) => at.toLocaleString("en-GB", {
    minimumFractionDigits: decimals, maximumFractionDigits: decimals,
  }).replace("-", "−").replace(/^−(0(\.0*)?)$/, "$1"));
}

// As many decimals as tell apart a thousandth of `span`.
export function shown(value, span) {
  if (value === null || value === undefined || !Number.isFinite(value)) { return "∞"; }
  const size = Math.max(Math.abs(value), span || 0);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) { return value.toExponential(3).replace("e+", "e"); }
  const scale = span > 0 ? span : Math.abs(value) || 1;
  const decimals = Math.min(8, Math.max(0, 3 - Math.floor(Math.log10(scale))));
  // -0.00 is nobody's value.
  const fixed = (Math.abs(value) < 0.5 * Math.pow(10, -decimals) ? 0 : value).toLocaleString("en-GB", {
    minimumFractionDigits: decimals, maximumFractionDigits: decimals,
  });
  return fixed.replace("-", "−");
}

export function percent(share, digits = 1) {
  const text = (100 * share).toFixed(digits);
  return (text.endsWith(".0") ? text.slice(0, -2) : text) + "\u00a0%";
}
