// Tables that sort by a click or a key on a heading: numbers as numbers, what has no number last.
(function () {
  "use strict";

  function keyOf(row, column) {
    const cell = row.cells[column];
    if (!cell) { return ""; }
    if (cell.dataset.value !== undefined) { return Number(cell.dataset.value); }
    const words = cell.textContent.trim();
    // Plain numbers, and "1.23 ± 0.04" by what comes first; anything else is text.
    const number = /^[-+]?[\d,]*\.?\d+(e[-+]?\d+)?( ± .*)?$/i.test(words) ? parseFloat(words.replace(/,/g, "")) : NaN;
    return Number.isNaN(number) ? words : number;
  }

  function compare(left, right, sign) {
    // Empty cells stay behind in either direction.
    if (left === "" || right === "") { return left === right ? 0 : left === "" ? 1 : -1; }
    if (typeof left === "number" && typeof right === "number") {
      return left === right ? 0 : sign * (left < right ? -1 : 1);
    }
    if (typeof left !== typeof right) { return typeof left === "number" ? -1 : 1; }
    return sign * left.localeCompare(right, "en", { numeric: true });
  }

  function sort(table, heading, column) {
    const rising = heading.getAttribute("aria-sort") !== "ascending";
    table.querySelectorAll("thead th").forEach(function (other) { other.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).map(function (row) { return { row: row, key: keyOf(row, column) }; });
    rows.sort(function (a, b) { return compare(a.key, b.key, rising ? 1 : -1); });
    rows.forEach(function (one) { body.appendChild(one.row); });
  }

  // For tables that come later, too.
  window.ngrcSortable = function (table) {
    if (!table.tHead || table.dataset.wired) { return; }
    table.dataset.wired = "yes";
    Array.from(table.tHead.rows[0].cells).forEach(function (heading, column) {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "Sort by this column";
      while (heading.firstChild) { button.appendChild(heading.firstChild); }
      heading.appendChild(button);
      button.addEventListener("click", function () { sort(table, heading, column); });
    });
  };
  document.querySelectorAll("table.sortable").forEach(window.ngrcSortable);
})();
