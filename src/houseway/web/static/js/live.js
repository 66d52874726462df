// A live stream: the current views first, then every change. Read by fetch, so that a device can send its token.

import { headers } from "./api.js";
import { t } from "./page.js";

const LOST_AFTER = 5_000;
const AGAIN_AFTER = 1_000;

/**
 * Watch subjects ("table/CS-1", "link/stud", "floor", "manager"). `on` may have:
 * view(subject, view), step(subject, step), meters(subject, message), lost(how), back(), refused(problem).
 * It is lost as "gone" when nothing is heard, and as "stalled" when the floor says that it cannot record.
 * Answers with a function that stops watching.
 */
export function watch(subjects, on) {
  const search = new URLSearchParams(subjects.map((subject) => ["subject", subject]));
  const last = new Map();
  let id = "";
  let heard = performance.now();
  let lost = "";
  let stalled = false;
  let inStep = false;
  let stopped = false;
  let abort = new AbortController();

  function hear() {
    heard = performance.now();
    if (lost && inStep && !stalled) {
      const before = lost;
      lost = "";
      tell("back", before);
      on.back?.();
    }
  }

  function lose(how) {
    if (lost !== how) {
      lost = how;
      on.lost?.(how);
    }
    tell(how);
  }

  function tell(state, before = "") {
    const place = document.getElementById("link");
    if (!place) return;
    place.hidden = false;
    place.className = `link-state ${state}`;
    // The same words again would be read out again.
    const words = state === "back" ? t(before === "stalled" ? "records_again" : "back")
      : state === "stalled" ? t("stalled") : t("lost", { seconds: Math.round((performance.now() - heard) / 1000) });
    if (place.textContent !== words) place.textContent = words;
    document.documentElement.dataset.link = state === "back" ? "" : "lost";
    if (state === "back") setTimeout(() => { if (!lost) place.hidden = true; }, 3_000);
  }

  const watching = setInterval(() => {
    if (stopped || performance.now() - heard < LOST_AFTER) return;
    lose("gone");
    // A stream that says nothing is as good as none.
    if (performance.now() - heard > 3 * LOST_AFTER) abort.abort();
  }, 500);

  function take(event, text) {
    const message = JSON.parse(text);
    if (event === "beat") {
      stalled = false;
      hear();
      return;
    }
    if (event === "stalled") {
      stalled = true;
      hear();
      lose("stalled");
      return;
    }
    if (event === "view") {
      last.set(message.subject, message.last);
      inStep = true;
      hear();
      on.view?.(message.subject, message.view);
    } else if (event === "step") {
      // A step that does not follow the one before: something was missed, so begin anew.
      if (last.has(message.subject) && last.get(message.subject) !== message.previous) {
        id = "";
        abort.abort();
        return;
      }
      last.set(message.subject, message.entry);
      hear();
      on.step?.(message.subject, message);
    } else if (event === "missed") {
      on.step?.(message.subject, message);
    } else if (event === "meters") {
      hear();
      on.meters?.(message.subject, message);
    }
  }

  async function read() {
    while (!stopped) {
      abort = new AbortController();
      // A stream that was only silent goes on where it was; a new one is in step with its first view.
      inStep = false;
      try {
        const sent = { ...headers(), Accept: "text/event-stream" };
        if (id) sent["Last-Event-ID"] = id;
        const response = await fetch(`/api/v1/stream?${search}`, { headers: sent, signal: abort.signal, cache: "no-store" });
        if (response.ok) await readAll(response.body.getReader());
        // The floor was restored to before what was seen here: begin anew.
        else if (response.status === 409) id = "";
        else if (response.status === 401 || response.status === 403 || response.status === 404) {
          on.refused?.(await response.json());
          if (response.status === 401 && !headers().Authorization && !on.refused) location.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
        }
      } catch (error) {
        if (error.name !== "AbortError" && !(error instanceof TypeError)) console.warn(error);
      }
      await new Promise((done) => setTimeout(done, AGAIN_AFTER * (0.75 + Math.random() / 2)));
    }
  }

  async function readAll(reader) {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      let end = rest.indexOf("\n\n");
      while (end >= 0) {
        one(rest.slice(0, end));
        rest = rest.slice(end + 2);
        end = rest.indexOf("\n\n");
      }
    }
  }

  function one(block) {
    let event = "message";
    let number = "";
    let text = "";
    for (const line of block.split("\n")) {
      if (line.startsWith("event: ")) event = line.slice(7);
      else if (line.startsWith("id: ")) number = line.slice(4);
      else if (line.startsWith("data: ")) text += line.slice(6);
    }
    if (number) id = number;
    if (text) take(event, text);
  }

  read();
  return () => {
    stopped = true;
    clearInterval(watching);
    abort.abort();
    // What it complained of is over with it; another that is lost says so again.
    if (lost) {
      const before = lost;
      lost = "";
      tell("back", before);
    }
  };
}
