// Small words of SVG: elements, paths, areas. Colours are the style sheet's, so that dark and light need no redraw.
const SPACE = "http://www.w3.org/2000/svg";

export function element(name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, String(value)); }
  if (text !== undefined) { made.textContent = text; }
  return made;
}

export class Picture {
  constructor(place, margin) {
    this.width = Math.max(260, place.clientWidth);
    this.height = place.clientHeight;
    this.left = margin.left; this.right = this.width - margin.right;
    this.top = margin.top; this.bottom = this.height - margin.bottom;
    this.svg = element("svg", { width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}` });
    // For screen readers the words beside it tell the same.
    this.svg.setAttribute("aria-hidden", "true");
    const clip = element("clipPath", { id: `clip-${place.id}` });
    clip.append(element("rect", { x: this.left, y: this.top, width: this.right - this.left + 1,
      height: this.bottom - this.top }));
    this.svg.append(clip);
    this.inner = element("g", { "clip-path": `url(#clip-${place.id})` });
    this.clipped = false;
  }

  add(name, attributes, text) {
    const made = element(name, attributes, text);
    (this.clipped ? this.inner : this.svg).append(made);
    return made;
  }

  line(points, kind) {
    if (points.length > 1) { this.add("path", { d: "M" + points.map(pair).join("L"), class: kind }); }
  }

  area(above, below, kind) {
    if (above.length === 0) { return; }
    this.add("path", { d: "M" + above.map(pair).join("L") + "L" + below.slice().reverse().map(pair).join("L") + "Z",
      class: kind });
  }

  // What is drawn by `work` stays inside the axes.
  inside(work) { this.clipped = true; work(); this.clipped = false; this.svg.append(this.inner); }

  show(place) { place.replaceChildren(this.svg); }
}

function pair(point) { return `${point[0].toFixed(1)},${point[1].toFixed(1)}`; }

export function scale(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

// Runs of neighbouring rows for which `wanted` holds.
export function runs(rows, wanted) {
  const found = [];
  let current = null;
  for (const row of rows) {
    if (wanted(row)) {
      if (current === null) { current = []; found.push(current); }
      current.push(row);
    } else { current = null; }
  }
  return found;
}
