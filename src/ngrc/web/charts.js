// The charts of a report, drawn by Plotly from the block of JSON in the page; every chart has a table of its data.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("charts-data").textContent);
  const CONFIG = {
    displaylogo: false, responsive: true, showTips: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
  };
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

  const percent = function (level) { return +(100 * level).toFixed(10) + " %"; };
  const LINE = "lines";
  // Dots between the margins of A4 and of letter paper, the narrower of them.
  const SHEET = 660;

  // Those of the style sheet, which cannot be asked: a page is drawn for paper while the screen's style still holds.
  const LIGHT = { dark: false, ink: "#1d1d1f", soft: "#52525b", line: "#d8dade", panel: "#f6f7f9",
    forecast: "#00559b", outcome: "#1d1d1f" };
  const DARK = { dark: true, ink: "#ececee", soft: "#b4b6bd", line: "#383c45", panel: "#1f2228",
    forecast: "#7fbdf5", outcome: "#ececee" };
  function colours() { return window.ngrcIsDark() ? DARK : LIGHT; }
  function colourOf(method, look) { return look.dark ? method.dark : method.light; }
  function faded(colour, share) {
    const parts = [1, 3, 5].map(function (at) { return parseInt(colour.slice(at, at + 2), 16); });
    return "rgba(" + parts.join(",") + "," + share + ")";
  }
  function ticked(chart, name) {
    const boxes = document.querySelectorAll('input[data-chart="' + chart + '"][name="' + name + '"]:checked');
    return Array.from(boxes).map(function (box) { return box.value; });
  }
  function methodsShown() {
    const names = ticked("test", "method");
    return data.methods.filter(function (method) { return names.includes(method.name); });
  }
  function levelsShown(chart) { return ticked(chart, "level").map(Number).sort(function (a, b) { return b - a; }); }
  // The highest level that is ticked: curves of one level each would hide each other.
  function levelOf(chart) { const all = levelsShown(chart); return all.length ? all[0] : data.level; }

  // ---------------------------------------------------------------- what every chart shares

  function layout(look, x, y, more) {
    const axis = {
      gridcolor: look.line, zerolinecolor: look.line, linecolor: look.line, automargin: true,
      title: { font: { size: 12 }, standoff: 6 }, tickfont: { size: 11 },
    };
    return Object.assign({
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: look.ink, size: 12 },
      margin: { l: 48, r: 10, t: 24, b: 40 }, hovermode: "x unified", dragmode: "zoom",
      hoverlabel: { bgcolor: look.panel, bordercolor: look.line, font: { color: look.ink, size: 12 } },
      legend: { orientation: "h", x: 0, y: -0.2, yanchor: "top", font: { size: 11 } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: look.soft, activecolor: look.ink },
      xaxis: Object.assign({}, axis, { title: Object.assign({}, axis.title, { text: x }) }),
      yaxis: Object.assign({}, axis, { title: Object.assign({}, axis.title, { text: y }) }),
    }, more || {});
  }
  function withCategories(laid) { laid.xaxis.type = "category"; return laid; }
  function timeAxis(laid) {
    if (data.axis === "date") { laid.xaxis.type = "date"; }
    return laid;
  }
  const timeName = data.axis === "position" ? "observation" : "time";

  // Both ends of an interval, the space between them filled; three traces would each have a line in the legend.
  function band(x, one, colour, share, name, dash) {
    const common = { x: x, mode: LINE, hoverlabel: { namelength: -1 }, connectgaps: false };
    return [
      Object.assign({}, common, {
        y: one.lower, line: { width: dash ? 1 : 0, color: colour, dash: dash || "solid" }, showlegend: false,
        name: name + ", lower", legendgroup: name,
      }),
      Object.assign({}, common, {
        y: one.upper, line: { width: dash ? 1 : 0, color: colour, dash: dash || "solid" }, name: name,
        fill: "tonexty", fillcolor: faded(colour, share), legendgroup: name,
      }),
    ];
  }

  // The narrower a level, the darker: place 0 is the widest.
  function shade(place) { return Math.min(0.14 + 0.09 * place, 0.4); }
  // Alone, a curve needs no dashes to be told from others.
  function dashOf(method, shown) { return shown.length > 1 ? method.dash : "solid"; }

  // ---------------------------------------------------------------- the charts

  const charts = {};

  charts.coming = {
    group: "coming", there: Boolean(data.coming),
    draw: function (look) {
      const coming = data.coming, levels = levelsShown("coming"), traces = [];
      // The fan begins at the last observation, which is known: all ends meet there.
      const past = coming.history, last = past.y.length - 1;
      const x = [past.x[last]].concat(coming.x);
      const from = function (values) { return [past.y[last]].concat(values); };
      levels.forEach(function (level, place) {
        const one = coming.bands.find(function (candidate) { return candidate.level === level; });
        const ends = { lower: from(one.lower), upper: from(one.upper) };
        traces.push.apply(traces, band(x, ends, look.forecast, shade(place), percent(level)));
      });
      traces.push({ x: coming.history.x, y: coming.history.y, mode: LINE, name: "observed", connectgaps: false,
        line: { color: look.outcome, width: 1.3 } });
      traces.push({ x: x, y: from(coming.forecast), mode: x.length < 60 ? "lines+markers" : LINE,
        name: "forecast", line: { color: look.forecast, width: 2 }, marker: { size: 5 } });
      return { traces: traces, layout: timeAxis(layout(look, timeName, data.name)) };
    },
    view: data.coming && data.coming.recent,
  };

  function shownBands(source) {
    const levels = levelsShown("test"), found = [];
    methodsShown().forEach(function (method) {
      levels.forEach(function (level) {
        const one = source.find(function (row) { return row.method === method.name && row.level === level; });
        if (one) { found.push({ method: method, level: level, one: one }); }
      });
    });
    return found;
  }

  charts.tested = {
    group: "test", there: true,
    draw: function (look) {
      const tested = data.tested, shown = shownBands(tested.bands), traces = [], levels = levelsShown("test");
      const several = methodsShown().length > 1;
      shown.forEach(function (each) {
        const name = each.method.name + " " + percent(each.level);
        const share = several ? 0.05 : shade(levels.indexOf(each.level));
        traces.push.apply(traces, band(tested.x, each.one, colourOf(each.method, look), share, name,
          several ? each.method.dash : ""));
      });
      traces.push({ x: tested.x, y: tested.outcome, mode: LINE, name: "observed", connectgaps: false,
        line: { color: look.outcome, width: 1.1 } });
      traces.push({ x: tested.x, y: tested.forecast, mode: LINE, name: "forecast",
        line: { color: look.forecast, width: 1.4, dash: "dot" } });
      return { traces: traces, layout: timeAxis(layout(look, timeName, data.name)) };
    },
    view: (function () {
      const x = data.tested.x, most = 300;
      return x.length > most ? [x[x.length - most], x[x.length - 1]] : null;
    })(),
    table: function () {
      const tested = data.tested, shown = shownBands(tested.bands);
      const heads = [timeName, "observed", "forecast"];
      shown.forEach(function (each) {
        heads.push(each.method.name + " lower " + percent(each.level), each.method.name + " upper " + percent(each.level));
      });
      return { heads: heads, rows: (tested.labels || tested.x).map(function (label, at) {
        const row = [label, tested.outcome[at], tested.forecast[at]];
        shown.forEach(function (each) { row.push(each.one.lower[at], each.one.upper[at]); });
        return row;
      }) };
    },
  };

  charts.trailing = {
    group: "test", there: true,
    draw: function (look) {
      const trailing = data.trailing, level = levelOf("test");
      const traces = methodsShown().map(function (method, place, shown) {
        const curve = trailing.curves.find(function (one) { return one.method === method.name && one.level === level; });
        return { x: trailing.x, y: curve.y, mode: LINE, name: method.name,
          line: { color: colourOf(method, look), dash: dashOf(method, shown), width: 1.8 } };
      });
      const laid = timeAxis(layout(look, timeName, "coverage, last " + trailing.window + " outcomes"));
      laid.shapes = [across(level, look)];
      laid.annotations = [note(percent(level), 1, level, "right", look)];
      return { traces: traces, layout: laid };
    },
    table: function () {
      const level = levelOf("test"), shown = methodsShown().map(function (method) {
        return data.trailing.curves.find(function (one) { return one.method === method.name && one.level === level; });
      });
      return { heads: [timeName].concat(shown.map(function (one) { return one.method + " " + percent(level); })),
        rows: data.trailing.x.map(function (x, at) {
          return [x].concat(shown.map(function (one) { return one.y[at]; }));
        }) };
    },
  };

  function across(level, look) {
    return { type: "line", xref: "paper", x0: 0, x1: 1, y0: level, y1: level,
      line: { color: look.soft, width: 1.2, dash: "dash" } };
  }
  function note(words, x, y, anchor, look) {
    return { text: words, xref: "paper", x: x, y: y, xanchor: anchor, yanchor: "bottom", showarrow: false,
      font: { size: 11, color: look.soft } };
  }

  function efficiency(score, words) {
    return {
      group: "test", there: true,
      draw: function (look) {
        // All methods, as one point says nothing; those that are ticked stand out.
        const level = levelOf("test"), names = ticked("test", "method"), heights = [level - 0.02, level + 0.02];
        const traces = data.methods.map(function (method) {
          const row = data.scores.find(function (one) { return one.method === method.name && one.level === level; });
          heights.push(row.coverage);
          // Names beside all points would cover each other: the legend has the others.
          return { x: [row[score]], y: [row.coverage], mode: names.includes(method.name) ? "markers+text" : "markers",
            name: method.name, text: [method.name], textposition: "top center", cliponaxis: false,
            textfont: { size: 11, color: look.ink }, opacity: names.includes(method.name) ? 1 : 0.6, marker: { size: names.includes(method.name) ? 13 : 9, color: colourOf(method, look), symbol: method.symbol },
            hovertemplate: method.name + ": coverage %{y:.3f}, " + words + " %{x:.4g}<extra></extra>" };
        });
        const laid = layout(look, words, "coverage", { hovermode: "closest" });
        const low = Math.min.apply(null, heights), high = Math.max.apply(null, heights);
        laid.yaxis.range = [low - 0.12 * (high - low), high + 0.16 * (high - low)];
        laid.shapes = [across(level, look)];
        laid.annotations = [note("asked for: " + percent(level), 1, level, "right", look)];
        return { traces: traces, layout: laid };
      },
      table: scoreTable,
    };
  }
  function scoreTable() {
    const level = levelOf("test");
    return { heads: ["method", "level", "coverage", "width", "Winkler"],
      rows: data.scores.filter(function (one) { return one.level === level; })
        .map(function (one) { return [one.method, percent(one.level), one.coverage, one.width, one.winkler]; }) };
  }
  charts.width = efficiency("width", "mean width");
  charts.winkler = efficiency("winkler", "Winkler score");

  charts.calibration = {
    group: "test", there: true,
    draw: function (look) {
      const names = methodsShown().map(function (method) { return method.name; });
      const traces = [{ x: [0, 1], y: [0, 1], mode: LINE, name: "as asked for", hoverinfo: "skip",
        line: { color: look.soft, width: 1.2, dash: "dash" } }];
      data.calibration.filter(function (curve) { return names.includes(curve.method); }).forEach(function (curve) {
        const method = data.methods.find(function (one) { return one.name === curve.method; });
        traces.push({ x: curve.nominal, y: curve.observed, mode: "lines+markers", name: curve.method,
          line: { color: colourOf(method, look), dash: dashOf(method, names), width: 1.8 }, marker: { size: 6, symbol: method.symbol } });
      });
      const laid = layout(look, "coverage asked for", "coverage observed");
      laid.xaxis.range = [0, 1.02];
      laid.yaxis.range = [0, 1.02];
      return { traces: traces, layout: laid };
    },
    table: function () {
      const names = methodsShown().map(function (method) { return method.name; }), rows = [];
      data.calibration.filter(function (curve) { return names.includes(curve.method); }).forEach(function (curve) {
        curve.nominal.forEach(function (level, at) { rows.push([curve.method, percent(level), curve.observed[at]]); });
      });
      return { heads: ["method", "asked for", "observed"], rows: rows };
    },
  };

  const shape = data.residuals;
  charts.histogram = {
    there: true,
    draw: function (look) {
      const bars = shape.histogram;
      return { traces: [
        { type: "bar", x: bars.middle, y: bars.density, width: bars.width, name: "errors",
          marker: { color: faded(look.forecast, 0.55), line: { color: look.forecast, width: 0.5 } } },
        { x: bars.x, y: bars.gaussian, mode: LINE, name: "Gaussian of the same mean and scale",
          line: { color: look.outcome, width: 1.8, dash: "dash" } },
      ], layout: layout(look, "error", "density", { bargap: 0 }) };
    },
    table: function () {
      const bars = shape.histogram;
      return { heads: ["middle of the bin", "density"], rows: bars.middle.map(function (x, at) { return [x, bars.density[at]]; }) };
    },
  };
  charts.qq = {
    there: true,
    draw: function (look) {
      const qq = shape.qq, ends = [qq.theory[0], qq.theory[qq.theory.length - 1]];
      return { traces: [
        { x: ends, y: ends, mode: LINE, name: "Gaussian", hoverinfo: "skip", line: { color: look.soft, width: 1.2, dash: "dash" } },
        { x: qq.theory, y: qq.sample, mode: "markers", name: "errors", marker: { size: 5, color: look.forecast } },
      ], layout: layout(look, "Gaussian quantile", "quantile of the errors", { hovermode: "closest" }) };
    },
    table: function () {
      return { heads: ["Gaussian quantile", "quantile of the errors"],
        rows: shape.qq.theory.map(function (x, at) { return [x, shape.qq.sample[at]]; }) };
    },
  };
  charts.correlation = {
    there: true,
    draw: function (look) {
      const one = shape.correlation;
      const laid = layout(look, "lag, steps", "correlation", { barmode: "overlay", bargap: 0.3 });
      laid.shapes = [1, -1].map(function (sign) { return across(sign * one.bound, look); });
      return { traces: [
        { type: "bar", x: one.lags, y: one.errors, name: "errors", marker: { color: look.forecast } },
        { x: one.lags, y: one.sizes, mode: LINE, name: "their sizes", line: { color: look.dark ? "#ff8a3d" : "#c04e00", width: 1.6 } },
      ], layout: laid };
    },
    table: function () {
      const one = shape.correlation;
      return { heads: ["lag", "errors", "their sizes"], rows: one.lags.map(function (lag, at) { return [lag, one.errors[at], one.sizes[at]]; }) };
    },
  };
  charts.blocks = {
    there: true,
    draw: function (look) {
      const one = shape.blocks, places = one.scale.map(function (value, at) { return String(at + 1); });
      return { traces: [{ type: "bar", x: places, y: one.scale, customdata: one.x, name: "scale",
        hovertemplate: "from %{customdata}: %{y:.4g}<extra></extra>", marker: { color: faded(look.forecast, 0.75) } }],
      layout: withCategories(layout(look, "stretch", "root mean square error")) };
    },
    table: function () {
      return { heads: ["stretch", "begins", "root mean square error"],
        rows: shape.blocks.scale.map(function (value, at) { return [at + 1, shape.blocks.x[at], value]; }) };
    },
  };
  charts.cycle = {
    there: Boolean(shape.cycle),
    draw: function (look) {
      const one = shape.cycle;
      const laid = withCategories(layout(look, one.name, "error"));
      return { traces: [
        { type: "bar", x: one.labels, y: one.scale, name: "root mean square", marker: { color: faded(look.forecast, 0.75) } },
        { x: one.labels, y: one.mean, mode: "lines+markers", name: "mean", line: { color: look.dark ? "#ff8a3d" : "#c04e00", width: 1.6 } },
      ], layout: laid };
    },
    table: function () {
      const one = shape.cycle;
      return { heads: [one.name, "root mean square", "mean", "errors"],
        rows: one.labels.map(function (label, at) { return [label, one.scale[at], one.mean[at], one.count[at]]; }) };
    },
  };

  // ---------------------------------------------------------------- drawing, tables, controls

  function place(name) { return document.getElementById("chart-" + name); }
  function each(group, act) {
    Object.keys(charts).forEach(function (name) {
      if (charts[name].there && place(name) && (!group || charts[name].group === group)) { act(name, charts[name]); }
    });
  }
  function draw(name, chart) {
    const where = place(name), look = colours(), made = chart.draw(look);
    const old = where.layout && where.layout.xaxis && where.layout.xaxis.range;
    // A new choice of methods must not undo a zoom.
    if (chart.drawn && old && chart.view !== undefined) {
      made.layout.xaxis.range = old.slice();
      made.layout.xaxis.autorange = false;
    } else if (chart.view) {
      made.layout.xaxis.range = chart.view.slice();
      made.layout.xaxis.autorange = false;
    }
    // A sheet is narrower than most screens, and nothing on it is drawn again once it is laid out.
    if (document.documentElement.dataset.printing) { made.layout.width = Math.min(where.clientWidth, SHEET); }
    chart.drawn = true;
    fitHeight(made);
    window.Plotly.react(where, made.traces, made.layout, CONFIG);
    fill(name, chart);
  }

  // The values in view decide the height, as a spike years ago would flatten the last days.
  function fitHeight(made) {
    const range = made.layout.xaxis.range;
    if (!range || made.layout.yaxis.range || (data.axis === "date") !== (made.layout.xaxis.type === "date")) { return; }
    const from = number(range[0]), until = number(range[1]);
    let low = Infinity, high = -Infinity;
    made.traces.forEach(function (trace) {
      trace.x.forEach(function (x, at) {
        const y = trace.y[at], where = number(x);
        if (y !== null && where >= from && where <= until) { low = Math.min(low, y); high = Math.max(high, y); }
      });
    });
    if (low < high) { const room = 0.04 * (high - low); made.layout.yaxis.range = [low - room, high + room]; }
  }
  function number(x) { return data.axis === "date" ? Date.parse(x + (String(x).length > 10 ? "Z" : "")) : Number(x); }
  function told(value) {
    return data.axis === "date" ? new Date(value).toISOString().replace("Z", "").replace("T", " ") : value;
  }

  function words(value) {
    if (value === null || value === undefined) { return ""; }
    return typeof value === "number" ? String(+value.toPrecision(6)) : value;
  }
  function fill(name, chart) {
    const details = document.querySelector('details.data[data-of="' + name + '"]');
    if (!details || !details.open) { return; }
    const made = chart.table(), table = document.createElement("table");
    table.className = "sortable";
    const head = table.createTHead().insertRow();
    made.heads.forEach(function (heading) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = heading;
      head.appendChild(cell);
    });
    const body = table.createTBody();
    made.rows.forEach(function (row) {
      const line = body.insertRow();
      row.forEach(function (value) {
        const cell = line.insertCell();
        if (typeof value === "number") { cell.className = "n"; cell.dataset.value = value; }
        cell.textContent = words(value);
      });
    });
    details.querySelector(".scroll").replaceChildren(table);
    window.ngrcSortable(table);
  }

  function move(name, how) {
    const chart = charts[name], where = place(name), x = allPlaces(name);
    const first = Math.min.apply(null, ends(x)), last = Math.max.apply(null, ends(x));
    let range = where.layout.xaxis.range.map(number);
    const width = range[1] - range[0], middle = (range[0] + range[1]) / 2;
    if (how === "in") { range = [middle - width / 4, middle + width / 4]; }
    if (how === "out") { range = [middle - width, middle + width]; }
    if (how === "earlier") { range = [range[0] - width / 2, range[1] - width / 2]; }
    if (how === "later") { range = [range[0] + width / 2, range[1] + width / 2]; }
    if (how === "all" || (how === "recent" && !chart.view)) { range = [first, last]; }
    if (how === "recent" && chart.view) { range = chart.view.map(number); }
    const made = chart.draw(colours());
    made.layout.xaxis.range = range.map(told);
    made.layout.xaxis.autorange = false;
    fitHeight(made);
    window.Plotly.react(where, made.traces, made.layout, CONFIG);
  }
  function allPlaces(name) {
    return name === "coming" ? data.coming.history.x.concat(data.coming.x) : data[name].x;
  }
  function ends(x) { return [number(x[0]), number(x[x.length - 1])]; }

  document.querySelectorAll("input[data-chart]").forEach(function (box) {
    box.addEventListener("change", function () { each(box.dataset.chart, draw); });
  });
  document.querySelectorAll("button[data-move]").forEach(function (button) {
    button.addEventListener("click", function () { move(button.dataset.chart, button.dataset.move); });
  });
  document.querySelectorAll("details.data[data-of]").forEach(function (details) {
    details.addEventListener("toggle", function () {
      const name = details.dataset.of;
      if (details.open && charts[name]) { fill(name, charts[name]); }
    });
  });
  // The line beside a method's name is its line in the charts.
  function keys() {
    const look = colours();
    document.querySelectorAll('input[name="method"]').forEach(function (box) {
      const method = data.methods.find(function (one) { return one.name === box.value; });
      let key = box.parentElement.querySelector(".key");
      if (!key) {
        key = document.createElement("span");
        key.className = "key";
        key.setAttribute("aria-hidden", "true");
        box.after(key);
      }
      key.style.color = colourOf(method, look);
      key.style.borderTopStyle = method.dash === "solid" ? "solid" : method.dash.includes("dot") ? "dotted" : "dashed";
    });
  }
  function all() { keys(); each("", draw); }
  document.addEventListener("themechange", all);
  all();
  document.documentElement.dataset.drawn = "yes";
})();
