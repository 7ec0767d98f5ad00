// What every chart shares: looks, axes, bands, controls and tables. Further scripts put their charts into `charts`, and
// the last one starts them. Plotly draws, from the block of JSON in the page.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("charts-data").textContent);
  const charts = {};
  const CONFIG = {
    displaylogo: false, responsive: true, showTips: false,
    // The last would upload the data; the page keeps everything to itself.
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "sendChartToCloud"],
  };
  const LINE = "lines";
  // Dots between the margins of A4 and of letter paper, the narrower of them.
  const SHEET = 660;
  const percent = function (level) { return +(100 * level).toFixed(10) + " %"; };

  // ---------------------------------------------------------------- looks

  // Those of the style sheet, which cannot be asked: a page is drawn for paper while the screen's style still holds.
  const LIGHT = { dark: false, ink: "#1d1d1f", soft: "#52525b", line: "#d8dade", panel: "#f6f7f9",
    forecast: "#00559b", outcome: "#1d1d1f", second: "#c04e00" };
  const DARK = { dark: true, ink: "#ececee", soft: "#b4b6bd", line: "#383c45", panel: "#1f2228",
    forecast: "#7fbdf5", outcome: "#ececee", second: "#ff8a3d" };
  function colours() { return window.ngrcIsDark() ? DARK : LIGHT; }
  function colourOf(method, look) { return look.dark ? method.dark : method.light; }
  function faded(colour, share) {
    const parts = [1, 3, 5].map(function (at) { return parseInt(colour.slice(at, at + 2), 16); });
    return "rgba(" + parts.join(",") + "," + share + ")";
  }
  // The narrower a level, the darker: place 0 is the widest.
  function shade(place) { return Math.min(0.14 + 0.09 * place, 0.4); }
  // Alone, a curve needs no dashes to be told from others.
  function dashOf(method, shown) { return shown.length > 1 ? method.dash : "solid"; }

  // ---------------------------------------------------------------- what is ticked

  function ticked(chart, name) {
    const boxes = document.querySelectorAll('input[data-chart="' + chart + '"][name="' + name + '"]:checked');
    return Array.from(boxes).map(function (box) { return box.value; });
  }
  function methodsShown(chart) {
    const names = ticked(chart, "method");
    return data.methods.filter(function (method) { return names.includes(method.name); });
  }
  function levelsShown(chart) { return ticked(chart, "level").map(Number).sort(function (a, b) { return b - a; }); }
  // The bands of the ticked methods and levels, the widest level of each method first.
  function shownBands(chart, methods, bands) {
    const levels = levelsShown(chart), found = [];
    methods.forEach(function (method) {
      levels.forEach(function (level, place) {
        const one = bands.find(function (row) { return row.method === method.name && row.level === level; });
        if (one) { found.push({ method: method, level: level, place: place, one: one }); }
      });
    });
    return found;
  }

  // ---------------------------------------------------------------- axes and traces

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
  // Observations as a line that is broken where none came; one between two gaps has no line, and is a dot.
  function observed(x, y, look, width) {
    const lone = y.map(function (value, at) {
      return value !== null && (at === 0 || y[at - 1] === null) && (at === y.length - 1 || y[at + 1] === null);
    });
    const traces = [{ x: x, y: y, mode: LINE, name: "observed", connectgaps: false, legendgroup: "observed",
      line: { color: look.outcome, width: width } }];
    const kept = function (values) { return values.filter(function (value, at) { return lone[at]; }); };
    if (lone.includes(true)) {
      traces.push({ x: kept(x), y: kept(y), mode: "markers", name: "observed, alone", showlegend: false,
        legendgroup: "observed", hoverinfo: "skip", marker: { color: look.outcome, size: 3 } });
    }
    return traces;
  }
  function across(level, look) {
    return { type: "line", xref: "paper", x0: 0, x1: 1, y0: level, y1: level,
      line: { color: look.soft, width: 1.2, dash: "dash" } };
  }
  function note(words, x, y, anchor, look) {
    return { text: words, xref: "paper", x: x, y: y, xanchor: anchor, yanchor: "bottom", showarrow: false,
      font: { size: 11, color: look.soft }, bgcolor: faded(look.panel, 0.75) };
  }

  // ---------------------------------------------------------------- drawing

  function place(name) { return document.getElementById("chart-" + name); }
  function each(group, act) {
    Object.keys(charts).forEach(function (name) {
      if (place(name) && (!group || charts[name].group === group)) { act(name, charts[name]); }
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

  // ---------------------------------------------------------------- the data of a chart as a table

  function words(value, digits) {
    if (value === null || value === undefined) { return ""; }
    if (typeof value !== "number") { return value; }
    if (digits === undefined) { return String(+value.toPrecision(4)); }
    const places = Math.max(digits, 0);
    return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  }
  function fill(name, chart) {
    const details = document.querySelector('details.data[data-of="' + name + '"]');
    if (!details || !details.open) { return; }
    const made = chart.table(), table = document.createElement("table");
    table.className = "sortable";
    const head = table.createTHead().insertRow();
    made.heads.forEach(function (heading, column) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = heading;
      // As the cells below it.
      if (made.rows.length && typeof made.rows[0][column] === "number") { cell.className = "n"; }
      head.appendChild(cell);
    });
    const body = table.createTBody();
    made.rows.forEach(function (row) {
      const line = body.insertRow();
      row.forEach(function (value, column) {
        const cell = line.insertCell();
        cell.className = "s";
        if (typeof value === "number") { cell.className = "n"; cell.dataset.value = value; }
        cell.textContent = words(value, Number.isInteger(value) && column === 0 ? 0 : made.digits);
      });
    });
    details.querySelector(".scroll").replaceChildren(table);
    window.ngrcSortable(table);
  }

  // ---------------------------------------------------------------- controls

  function move(name, how) {
    const chart = charts[name], where = place(name), reach = chart.reach();
    const first = number(reach[0]), last = number(reach[1]);
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
  function start() {
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
    document.addEventListener("themechange", all);
    all();
    document.documentElement.dataset.drawn = "yes";
  }

  window.ngrcCharts = {
    LINE: LINE, across: across, band: band, charts: charts, colourOf: colourOf, dashOf: dashOf, data: data,
    faded: faded, layout: layout, levelsShown: levelsShown, methodsShown: methodsShown, note: note,
    observed: observed, percent: percent, shade: shade, shownBands: shownBands, start: start, ticked: ticked,
    timeAxis: timeAxis, timeName: timeName, withCategories: withCategories,
  };
})();
