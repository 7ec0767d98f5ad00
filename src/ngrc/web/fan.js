// Coming values: the end of a series, its forecast, and intervals that open like a fan.
(function () {
  "use strict";
  const kit = window.ngrcCharts, percent = kit.percent;

  kit.data.fans.forEach(function (fan) {
    const several = fan.methods.length > 1;
    // One method has no box to tick.
    function methods() {
      return several ? kit.methodsShown(fan.chart)
        : kit.data.methods.filter(function (one) { return one.name === fan.methods[0]; });
    }
    function shown() { return kit.shownBands(fan.chart, methods(), fan.bands); }
    // The fan begins at the last observation, which is known: all ends meet there.
    const past = fan.history;
    let last = past.y.length - 1;
    while (last > 0 && past.y[last] === null) { last -= 1; }
    const x = [past.x[last]].concat(fan.x);
    function from(values) { return [past.y[last]].concat(values); }

    kit.charts[fan.chart] = {
      group: fan.chart,
      draw: function (look) {
        const bands = shown(), lines = methods().length > 1, traces = [];
        bands.forEach(function (each) {
          const ends = { lower: from(each.one.lower), upper: from(each.one.upper) };
          const colour = several ? kit.colourOf(each.method, look) : look.forecast;
          const name = several ? each.method.name + " " + percent(each.level) : percent(each.level);
          traces.push.apply(traces, kit.band(x, ends, colour, lines ? 0.05 : kit.shade(each.place), name,
            lines ? each.method.dash : ""));
        });
        traces.push.apply(traces, kit.observed(past.x, past.y, look, 1.3));
        traces.push({ x: x, y: from(fan.forecast), mode: x.length < 60 ? "lines+markers" : kit.LINE,
          name: "forecast", line: { color: look.forecast, width: 2 }, marker: { size: 5 } });
        return { traces: traces, layout: kit.timeAxis(kit.layout(look, kit.timeName, fan.name)) };
      },
      view: fan.recent,
      reach: function () { return [past.x[0], fan.x[fan.x.length - 1]]; },
      table: function () {
        const heads = ["step", kit.timeName, "forecast"], bands = shown();
        bands.forEach(function (each) {
          const whose = several ? each.method.name + " " : "";
          heads.push(whose + "lower " + percent(each.level), whose + "upper " + percent(each.level));
        });
        return { heads: heads, digits: fan.digits, rows: fan.forecast.map(function (value, at) {
          const row = [at + 1, fan.labels[at], value];
          bands.forEach(function (each) { row.push(each.one.lower[at], each.one.upper[at]); });
          return row;
        }) };
      },
    };
  });
})();
