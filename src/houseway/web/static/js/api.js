// The API, asked from a page. Orders carry a key, so that one sent again is carried out once.

import { data, t } from "./page.js";
import { h } from "./dom.js";

const API = "/api/v1/";
const TRIES = 4;
const LONGEST_WAIT = 5;

/** What the API refused, in its own words. */
export class Refused extends Error {
  constructor(problem, status) {
    super(problem.detail ?? t("failed"));
    this.field = problem.field ?? "";
    this.status = status;
    this.type = problem.type ?? "";
  }
}

let token = "";

/** Use a device's token in place of a cookie. */
export function useToken(given) {
  token = given;
}

export function headers() {
  const sent = {};
  if (token) sent.Authorization = `Bearer ${token}`;
  if (data.csrf) sent["X-CSRF-Token"] = data.csrf;
  return sent;
}

/** Look at something: get("floor"), get("journal", {limit: 20}). */
export async function get(path, query = {}) {
  const search = new URLSearchParams(query).toString();
  return answer(await fetch(`${API}${path}${search ? `?${search}` : ""}`, { headers: headers() }));
}

/** Ask something that changes nothing and is no order, or signs somebody in. */
export async function post(path, body) {
  return answer(await fetch(`${API}${path}`, { method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

/** A new key for an order. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Give an order. It is sent again, with the same key, when no answer comes or the floor says to ask again. */
export async function order(path, body = {}, { key = newKey(), by = "", second = "" } = {}) {
  const sent = { ...headers(), "Content-Type": "application/json", "Idempotency-Key": key };
  if (by) sent["By-Card"] = by;
  if (second) sent["Second-Card"] = second;
  for (let tried = 1; ; tried += 1) {
    let wait = 250 * 2 ** tried;
    try {
      const response = await fetch(`${API}${path}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
      if (response.status !== 503 || tried >= TRIES) return await answer(response);
      wait = Math.max(wait, Math.min(Number(response.headers.get("Retry-After")) || 0, LONGEST_WAIT) * 1_000);
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (tried >= TRIES) throw new Refused({ detail: t("failed") }, 0);
    }
    // Not all at the same moment.
    await new Promise((done) => setTimeout(done, wait * (1 + Math.random() / 4)));
  }
}

async function answer(response) {
  if (response.status === 204) return null;
  const kind = response.headers.get("Content-Type") ?? "";
  const body = kind.includes("json") ? await response.json() : await response.text();
  if (response.ok) return body;
  if (response.status === 401 && data.who.kind !== "nobody" && body.type !== "urn:houseway:problem:presence" && body.type !== "urn:houseway:problem:sign-in") {
    location.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
  }
  throw new Refused(typeof body === "object" ? body : {}, response.status);
}

/** A sentence for the whole page: what went wrong, until it is closed. */
export function complain(error) {
  const toast = h("div", { class: "toast" }, h("span", {}, error.message || String(error)),
    h("button", { class: "button", type: "button", onclick: () => toast.remove() }, t("close")));
  const place = document.getElementById("toast");
  place.append(toast);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => toast.remove(), 12_000);
}

/** Do something on a press; what is refused is told. A button is not pressed twice while it works. */
export function pressing(work) {
  return async (event) => {
    event?.preventDefault?.();
    const button = event?.submitter ?? event?.currentTarget;
    if (button?.dataset?.busy) return;
    if (button?.dataset) button.dataset.busy = "1";
    try {
      await work(event);
    } catch (error) {
      if (!(error instanceof Refused)) console.error(error);
      complain(error);
    } finally {
      if (button?.dataset) delete button.dataset.busy;
    }
  };
}

document.getElementById("sign-out")?.addEventListener("click", pressing(async () => {
  await fetch(`${API}session`, { method: "DELETE", headers: headers() });
  location.href = "/sign-in";
}));
