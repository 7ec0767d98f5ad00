// The shape of the errors: histogram, quantiles, correlation, and scale over time and clock.
(function () {
  "use strict";
  const kit = window.ngrcCharts, charts = kit.charts, shape = kit.data.residuals, LINE = kit.LINE;
  function bars(look, share) { return { color: kit.faded(look.forecast, share) }; }

  charts.histogram = {
    draw: function (look) {
      const one = shape.histogram;
      const filled = Object.assign(bars(look, 0.55), { line: { color: look.forecast, width: 0.5 } });
      return { traces: [
        { type: "bar", x: one.middle, y: one.density, width: one.width, name: "errors", marker: filled },
        { x: one.x, y: one.gaussian, mode: LINE, name: "Gaussian of the same mean and scale",
          line: { color: look.outcome, width: 1.8, dash: "dash" } },
      ], layout: kit.layout(look, "error", "density", { bargap: 0 }) };
    },
    table: function () {
      const one = shape.histogram;
      return { heads: ["middle of the bin", "density"],
        rows: one.middle.map(function (x, at) { return [x, one.density[at]]; }) };
    },
  };
  charts.qq = {
    draw: function (look) {
      const qq = shape.qq, ends = [qq.theory[0], qq.theory[qq.theory.length - 1]];
      return { traces: [
        { x: ends, y: ends, mode: LINE, name: "Gaussian", hoverinfo: "skip",
          line: { color: look.soft, width: 1.2, dash: "dash" } },
        { x: qq.theory, y: qq.sample, mode: "markers", name: "errors", marker: { size: 5, color: look.forecast } },
      ], layout: kit.layout(look, "Gaussian quantile", "quantile of the errors", { hovermode: "closest" }) };
    },
    table: function () {
      return { heads: ["Gaussian quantile", "quantile of the errors"], digits: 3,
        rows: shape.qq.theory.map(function (x, at) { return [x, shape.qq.sample[at]]; }) };
    },
  };
  charts.correlation = {
    draw: function (look) {
      const one = shape.correlation, last = one.lags[one.lags.length - 1] + 0.5, first = one.overlap + 0.5;
      const laid = kit.layout(look, "lag, steps", "correlation", { barmode: "overlay", bargap: 0.3 });
      const edge = function (height, colour) {
        return { type: "line", x0: first, x1: last, y0: height, y1: height, line: { color: colour, width: 1.2, dash: "dash" } };
      };
      laid.shapes = [1, -1].map(function (sign) { return edge(sign * one.bound, look.forecast); });
      laid.shapes.push(edge(one.size_bound, look.second));
      if (one.overlap) {
        // Where overlapping errors are alike whatever the model, no bound can be drawn.
        laid.shapes.push({ type: "rect", x0: 0.5, x1: Math.min(first, last), yref: "paper", y0: 0, y1: 1, line: { width: 0 },
          fillcolor: kit.faded(look.soft, 0.13), layer: "below" });
      }
      return { traces: [
        { type: "bar", x: one.lags, y: one.errors, name: "errors", marker: { color: look.forecast } },
        { x: one.lags, y: one.sizes, mode: LINE, name: "their sizes", line: { color: look.second, width: 1.6 } },
      ], layout: laid };
    },
    table: function () {
      const one = shape.correlation;
      return { heads: ["lag", "errors", "their sizes"], digits: 3,
        rows: one.lags.map(function (lag, at) { return [lag, one.errors[at], one.sizes[at]]; }) };
    },
  };
  charts.blocks = {
    draw: function (look) {
      const one = shape.blocks, places = one.scale.map(function (value, at) { return String(at + 1); });
      return { traces: [{ type: "bar", x: places, y: one.scale, customdata: one.x, name: "scale",
        hovertemplate: "from %{customdata}: %{y:.4g}<extra></extra>", marker: bars(look, 0.75) }],
      layout: kit.withCategories(kit.layout(look, "stretch", "root mean square error")) };
    },
    table: function () {
      return { heads: ["stretch", "begins", "root mean square error"],
        rows: shape.blocks.scale.map(function (value, at) { return [at + 1, shape.blocks.x[at], value]; }) };
    },
  };
  if (!shape.cycle) { return; }
  charts.cycle = {
    draw: function (look) {
      const one = shape.cycle, laid = kit.withCategories(kit.layout(look, one.name, "error"));
      return { traces: [
        { type: "bar", x: one.labels, y: one.scale, name: "root mean square", marker: bars(look, 0.75) },
        { x: one.labels, y: one.mean, mode: "lines+markers", name: "mean", line: { color: look.second, width: 1.6 } },
      ], layout: laid };
    },
    table: function () {
      const one = shape.cycle;
      return { heads: [one.name, "root mean square", "mean", "errors"],
        rows: one.labels.map(function (label, at) { return [label, one.scale[at], one.mean[at], one.count[at]]; }) };
    },
  };
})();
