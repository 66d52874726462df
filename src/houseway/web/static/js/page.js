// What the server put into the page: who looks, the words, and the names in its address.

export const data = JSON.parse(document.getElementById("data").textContent);

/** Words by their name, "a.b" for those in a group; {names} in them are filled in. */
export function t(name, values = {}) {
  let found = data.text;
  for (const part of name.split(".")) found = found?.[part];
  if (typeof found !== "string") return name;
  return found.replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
}

/** Whether the words know a name. */
export function has(name) {
  let found = data.text;
  for (const part of name.split(".")) found = found?.[part];
  return typeof found === "string";
}

/** A name out of the rulebook as people say it. */
export function spoken(name) {
  return String(name).replaceAll("_", " ");
}

/** What a screen calls a game. */
export function gameName(game) {
  return data.games?.[game] ?? spoken(game);
}

/** A time of the journal, by this screen's clock. */
export function clock(micros) {
  return new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "medium" }).format(micros / 1000);
}

export function dateAndTime(micros) {
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" }).format(micros / 1000);
}
