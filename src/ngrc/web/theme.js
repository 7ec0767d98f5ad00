// Light, dark, or as the system has it. Other scripts hear of a change by the event "themechange" of the document.
(function () {
  "use strict";
  const root = document.documentElement;
  const choice = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const paper = window.matchMedia("print");
  const KEY = "ngrc-theme";

  // A page that is opened from a disk may be denied a memory; it then follows the system.
  function remembered() {
    try { return window.localStorage.getItem(KEY) || "system"; } catch (refusal) { return "system"; }
  }
  function remember(theme) {
    try { window.localStorage.setItem(KEY, theme); } catch (refusal) { /* nothing to keep it in */ }
  }
  function tell() { document.dispatchEvent(new Event("themechange")); }
  function apply(theme) {
    if (theme === "light" || theme === "dark") { root.dataset.theme = theme; } else { delete root.dataset.theme; }
    tell();
  }

  // Whether charts are to be drawn for a dark ground now; paper is always light.
  window.ngrcIsDark = function () {
    if (paper.matches || root.dataset.printing) { return false; }
    return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  };

  choice.parentElement.hidden = false;
  const first = remembered();
  choice.value = ["light", "dark"].includes(first) ? first : "system";
  apply(choice.value);
  choice.addEventListener("change", function () { remember(choice.value); apply(choice.value); });
  system.addEventListener("change", tell);
  paper.addEventListener("change", tell);
  window.addEventListener("beforeprint", function () { root.dataset.printing = "yes"; tell(); });
  window.addEventListener("afterprint", function () { delete root.dataset.printing; tell(); });
})();
