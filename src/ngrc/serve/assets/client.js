// Asks the service for JSON, with the token where there is one, again and again, less often while it does not answer.
const KEY = "ngrc-token";
const PAUSES = [1, 2, 4, 8, 15];

const form = document.getElementById("login");
const banners = document.getElementById("banners");

function stored() {
  try { return window.sessionStorage.getItem(KEY); } catch (refusal) { return null; }
}

export class Refusal extends Error {
  constructor(status, words) { super(words); this.status = status; }
}

export async function ask(address) {
  const token = stored();
  const headers = token ? { Authorization: "Bearer " + token } : {};
  const answer = await fetch(address, { headers, cache: "no-store", credentials: "omit" });
  if (answer.ok) { return answer.json(); }
  let words = "the service answered " + answer.status;
  try { words = (await answer.json()).error || words; } catch (nothing) { /* no JSON: the status must do */ }
  throw new Refusal(answer.status, words);
}

// A line at the top of the page, once per kind; without words it goes away.
export function banner(kind, words) {
  let place = banners.querySelector(`[data-kind="${kind}"]`);
  if (!words) {
    if (place) { place.remove(); }
    return;
  }
  if (!place) {
    place = document.createElement("p");
    place.dataset.kind = kind;
    place.className = "banner " + kind;
    banners.append(place);
  }
  // Only where they change: a screen reader would say them anew each second.
  if (place.textContent !== words) { place.textContent = words; }
}

// Calls `once` every `seconds` seconds, without end. A hidden page does not ask.
export function poll(once, seconds) {
  let failures = 0;
  let timer = null;
  let running = false;

  async function turn() {
    if (running) { return; }
    running = true;
    timer = null;
    let wait = seconds;
    try {
      await once();
      failures = 0;
      banner("lost", "");
      form.hidden = true;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        login(error);
        running = false;
        return;
      }
      wait = PAUSES[Math.min(failures, PAUSES.length - 1)];
      failures += 1;
      const words = error instanceof Refusal ? error.message : "The connection to the service is lost";
      banner("lost", `${words}. What is shown may be old; asking again every ${wait} s.`);
      document.dispatchEvent(new Event("lost"));
    }
    running = false;
    if (!document.hidden) { timer = window.setTimeout(turn, wait * 1000); }
  }

  function login() {
    form.hidden = false;
    document.getElementById("login-error").textContent = stored() ? "That token is not the right one." : "";
    document.getElementById("token").focus();
    document.dispatchEvent(new Event("lost"));
  }

  form.addEventListener("submit", function (event) {
    event.preventDefault();
    const field = document.getElementById("token");
    try { window.sessionStorage.setItem(KEY, field.value.trim()); } catch (refusal) {
      document.getElementById("login-error").textContent = "This browser keeps nothing; allow storage for this page.";
      return;
    }
    field.value = "";
    turn();
  });
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && timer === null && form.hidden) { turn(); }
  });
  turn();
  return turn;
}
