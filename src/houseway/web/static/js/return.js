// A player's return code: told once, when the player comes in, and kept by this browser alone (TR-8).

const PLACE = "return";

/** Keep the return code of an answer to coming in. */
export function keepReturn(answer) {
  if (answer.again) localStorage.setItem(PLACE, JSON.stringify({ name: answer.name, code: answer.again }));
  return answer;
}

/** The code that this browser keeps, with the name it is for; null for none. */
export function keptReturn() {
  try {
    return JSON.parse(localStorage.getItem(PLACE));
  } catch {
    return null;
  }
}

/** It was used up, or it is no longer valid. */
export function dropReturn() {
  localStorage.removeItem(PLACE);
}
