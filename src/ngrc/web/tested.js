// Forecasts and intervals held against what came: bands, trailing coverage, cost of coverage, calibration.
(function () {
  "use strict";
  const kit = window.ngrcCharts, data = kit.data, charts = kit.charts, LINE = kit.LINE, percent = kit.percent;
  const GROUP = "test";
  // Names of neighbouring points beside, and not on, each other.
  const SIDES = ["top center", "bottom center", "middle right", "middle left"];
  decode(data.tested);

  // Whole numbers of the last decimal become values, and distances from the forecast become ends.
  function decode(tested) {
    const unit = Math.pow(10, Math.abs(tested.digits));
    const value = function (count) { return count === null ? null : tested.digits >= 0 ? count / unit : count * unit; };
    tested.bands.forEach(function (one) {
      ["lower", "upper"].forEach(function (end) {
        one[end] = one[end].map(function (distance, at) {
          return distance === null ? null : value(tested.forecast[at] + distance);
        });
      });
    });
    tested.outcome = tested.outcome.map(value);
    tested.forecast = tested.forecast.map(value);
  }
  // The highest level that is ticked: curves of one level each would hide each other.
  function levelOf() { const every = kit.levelsShown(GROUP); return every.length ? every[0] : data.level; }
  function methodsShown() { return kit.methodsShown(GROUP); }
  function at(rows, method, level) {
    return rows.find(function (one) { return one.method === method && one.level === level; });
  }
  // The level that was asked for, and around it what chance alone leaves most coverages within.
  function target(laid, level, half, look) {
    laid.shapes = [kit.across(level, look), { type: "rect", xref: "paper", x0: 0, x1: 1, y0: Math.max(level - half, 0),
      y1: Math.min(level + half, 1), line: { width: 0 }, fillcolor: kit.faded(look.soft, 0.13), layer: "below" }];
    laid.annotations = [kit.note("asked for: " + percent(level), 1, level, "right", look)];
    return laid;
  }

  function shown() { return kit.shownBands(GROUP, methodsShown(), data.tested.bands); }
  charts.tested = {
    group: GROUP,
    draw: function (look) {
      const tested = data.tested, traces = [], several = methodsShown().length > 1;
      shown().forEach(function (each) {
        const name = each.method.name + " " + percent(each.level);
        const share = several ? 0.05 : kit.shade(each.place);
        traces.push.apply(traces, kit.band(tested.x, each.one, kit.colourOf(each.method, look), share, name,
          several ? each.method.dash : ""));
      });
      traces.push.apply(traces, kit.observed(tested.x, tested.outcome, look, 1.1));
      traces.push({ x: tested.x, y: tested.forecast, mode: LINE, name: "forecast",
        line: { color: look.forecast, width: 1.4, dash: "dot" } });
      return { traces: traces, layout: kit.timeAxis(kit.layout(look, kit.timeName, data.name)) };
    },
    view: (function () {
      const x = data.tested.x, most = 300;
      return x.length > most ? [x[x.length - most], x[x.length - 1]] : null;
    })(),
    reach: function () { const x = data.tested.x; return [x[0], x[x.length - 1]]; },
    table: function () {
      const tested = data.tested, bands = shown(), heads = [kit.timeName, "observed", "forecast"];
      bands.forEach(function (each) {
        heads.push(each.method.name + " lower " + percent(each.level), each.method.name + " upper " + percent(each.level));
      });
      return { heads: heads, digits: tested.digits, rows: (tested.labels || tested.x).map(function (label, place) {
        const row = [label, tested.outcome[place], tested.forecast[place]];
        bands.forEach(function (each) { row.push(each.one.lower[place], each.one.upper[place]); });
        return row;
      }) };
    },
  };

  charts.trailing = {
    group: GROUP,
    draw: function (look) {
      const trailing = data.trailing, level = levelOf();
      const traces = methodsShown().map(function (method, place, every) {
        return { x: trailing.x, y: at(trailing.curves, method.name, level).y, mode: LINE, name: method.name,
          connectgaps: true, line: { color: kit.colourOf(method, look), dash: kit.dashOf(method, every), width: 1.8 } };
      });
      const laid = kit.layout(look, kit.timeName, "coverage, last " + trailing.window + " outcomes");
      laid.yaxis.tickformat = ".0%";
      return { traces: traces, layout: target(kit.timeAxis(laid), level, trailing.chance[String(level)], look) };
    },
    table: function () {
      const level = levelOf(), curves = methodsShown().map(function (method) {
        return at(data.trailing.curves, method.name, level);
      });
      return { heads: [kit.timeName].concat(curves.map(function (one) { return one.method + " " + percent(level); })),
        digits: 3, rows: data.trailing.x.map(function (x, place) {
          return [x].concat(curves.map(function (one) { return one.y[place]; }));
        }) };
    },
  };

  function efficiency(score, words) {
    return {
      group: GROUP,
      draw: function (look) {
        // All methods, as one point says nothing; those that are ticked stand out.
        const level = levelOf(), names = kit.ticked(GROUP, "method"), heights = [level - 0.02, level + 0.02];
        const traces = data.methods.filter(function (method) { return at(data.scores, method.name, level); }).map(function (method) {
          const row = at(data.scores, method.name, level), ticked = names.includes(method.name);
          heights.push(row.coverage);
          // Names beside all points would cover each other: the legend has the others.
          return { x: [row[score]], y: [row.coverage], mode: ticked ? "markers+text" : "markers",
            name: method.name, text: [method.name], textposition: SIDES[Math.max(names.indexOf(method.name), 0) % SIDES.length], cliponaxis: false,
            textfont: { size: 11, color: look.ink }, opacity: ticked ? 1 : 0.75,
            marker: { size: ticked ? 13 : 9, color: kit.colourOf(method, look), symbol: method.symbol },
            hovertemplate: method.name + ": coverage %{y:.1%}, " + words + " %{x:.4g}<extra></extra>" };
        });
        const laid = kit.layout(look, words, "coverage", { hovermode: "closest" });
        const low = Math.min.apply(null, heights), high = Math.max.apply(null, heights);
        laid.yaxis.range = [low - 0.12 * (high - low), high + 0.16 * (high - low)];
        laid.yaxis.tickformat = ".0%";
        // Many names make many rows, which push the plot together and its title towards them.
        laid.legend.y = -0.36;
        return { traces: traces, layout: target(laid, level, data.chance[String(level)], look) };
      },
      table: function () {
        const level = levelOf();
        return { heads: ["method", "level", "coverage", "width", "Winkler"],
          rows: data.scores.filter(function (one) { return one.level === level; })
            .map(function (one) { return [one.method, percent(one.level), one.coverage, one.width, one.winkler]; }) };
      },
    };
  }
  charts.width = efficiency("width", "mean width");
  charts.winkler = efficiency("winkler", "Winkler score");

  charts.calibration = {
    group: GROUP,
    draw: function (look) {
      const names = methodsShown().map(function (method) { return method.name; }), chance = data.calibration.chance;
      const edge = { mode: LINE, line: { width: 0 }, hoverinfo: "skip", showlegend: false, x: chance.level };
      const traces = [
        Object.assign({ y: chance.lower, name: "chance, lower" }, edge),
        Object.assign({}, edge, { y: chance.upper, name: "chance alone, 95 %", fill: "tonexty", showlegend: true,
          fillcolor: kit.faded(look.soft, 0.16) }),
        { x: [0, 1], y: [0, 1], mode: LINE, name: "as asked for", hoverinfo: "skip",
          line: { color: look.soft, width: 1.2, dash: "dash" } },
      ];
      data.calibration.curves.filter(function (curve) { return names.includes(curve.method); }).forEach(function (curve) {
        const method = data.methods.find(function (one) { return one.name === curve.method; });
        traces.push({ x: curve.nominal, y: curve.observed, mode: "lines+markers", name: curve.method,
          line: { color: kit.colourOf(method, look), dash: kit.dashOf(method, names), width: 1.8 },
          marker: { size: 6, symbol: method.symbol } });
      });
      const laid = kit.layout(look, "coverage asked for", "coverage observed");
      [laid.xaxis, laid.yaxis].forEach(function (axis) { axis.range = [0, 1.02]; axis.tickformat = ".0%"; });
      return { traces: traces, layout: laid };
    },
    table: function () {
      const names = methodsShown().map(function (method) { return method.name; }), rows = [];
      data.calibration.curves.filter(function (curve) { return names.includes(curve.method); }).forEach(function (curve) {
        curve.nominal.forEach(function (level, place) { rows.push([curve.method, percent(level), curve.observed[place]]); });
      });
      return { heads: ["method", "asked for", "observed"], digits: 3, rows: rows };
    },
  };
})();
