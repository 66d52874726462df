// What is wrong with a page as it stands: it is too wide, or something on it cannot be reached or read.
({ whole }) => {
  const WORST = 4; // sentences are enough
  const SLACK = 1.5; // pixels
  const LONG = 13; // letters: a longer word may break anywhere
  const room = document.querySelector("dialog[open]") ?? document.body;
  const wrong = [];
  const say = (what) => { if (wrong.length < WORST) wrong.push(what); };

  const looks = new Map();
  const look = (one) => looks.get(one) ?? looks.set(one, getComputedStyle(one)).get(one);
  const box = (one) => one.getBoundingClientRect();
  const hides = (one, way) => ["hidden", "clip"].includes(look(one)[way]);
  const scrolls = (one, way) => ["auto", "scroll"].includes(look(one)[way]);
  const bounds = (one) => scrolls(one, "overflowX") || scrolls(one, "overflowY") || look(one).textOverflow === "ellipsis";
  const paints = (one) => parseFloat(look(one).borderLeftWidth) > 0 || look(one).backgroundColor !== "rgba(0, 0, 0, 0)";
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const unseen = (one) => one.closest(".unseen, .skip") || (look(one).position === "absolute" && one.offsetWidth <= 1);
  const ups = (one) => (one && one !== document.documentElement ? [one, ...ups(one.parentElement)] : []);
  const quoted = (text) => JSON.stringify(text.trim().slice(0, 40));
  const tag = (one) => one.tagName.toLowerCase() + (one.id ? `#${one.id}` : [...one.classList].map((part) => `.${part}`).join(""));
  const selector = (one) => ups(one).filter((up) => up !== document.body).slice(0, 3).map(tag).reverse().join(" > ") || "the screen";

  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) {
    const free = (one) => !unseen(one) && !ups(one.parentElement).some((up) => up !== document.body && (scrolls(up, "overflowX") || hides(up, "overflowX")));
    const all = [...document.body.querySelectorAll("*")].filter((one) => shown(one) && free(one));
    const widest = all.reduce((most, one) => (box(one).right > box(most).right - 0.5 ? one : most));
    say(`the page is ${wide} px wide; its widest element is ${selector(widest)}, to ${Math.round(box(widest).right)} px: ${quoted(widest.textContent)}`);
  }

  // What cuts a place off for good: the first thing around it that neither shows all of it nor scrolls to the rest.
  const cutBy = (around, place) => {
    const { left, right, top, bottom } = place;
    const rest = { left, right, top, bottom };
    for (const up of ups(around)) {
      const at = box(up);
      const across = rest.right > at.right + SLACK || rest.left < at.left - SLACK;
      const down = rest.bottom > at.bottom + SLACK || rest.top < at.top - SLACK;
      if (across && scrolls(up, "overflowX")) Object.assign(rest, { left: at.left, right: at.right });
      else if (across && hides(up, "overflowX")) return look(up).textOverflow === "ellipsis" ? null : up;
      if (down && scrolls(up, "overflowY")) Object.assign(rest, { top: at.top, bottom: at.bottom });
      // The box of a line is higher than its letters.
      else if (down && hides(up, "overflowY") && rest.bottom - at.bottom > 0.3 * (bottom - top)) return up;
      if (look(up).position === "fixed") break;
    }
    return rest.right > innerWidth + SLACK || rest.left < -SLACK ? document.documentElement : null;
  };

  for (const one of room.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    const by = shown(one) && !unseen(one) && cutBy(one.parentElement, box(one));
    if (by) say(`${selector(one)} cannot be reached, ${selector(by)} cuts it off: ${quoted(one.textContent)}`);
  }

  const lines = [];
  const range = document.createRange();
  const broken = (node) => [...node.data.matchAll(/\w+/g)].find((word) => {
    if (word[0].length > LONG) return false;
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const parts = range.getClientRects();
    return parts.length > 1 && parts[1].top > parts[0].top + 2;
  });
  const walk = document.createTreeWalker(room, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const one = node.parentElement;
    if (!node.data.trim() || one.closest("script, noscript, svg, option, textarea") || !shown(one) || ups(one).some(unseen)) continue;
    range.selectNodeContents(node);
    const mine = [...range.getClientRects()].filter((line) => line.width >= 1);
    const word = whole && mine.length > 1 ? broken(node) : null;
    if (word) say(`${selector(one)} breaks a word: ${quoted(word[0])}`);
    const painted = ups(one).find((up) => bounds(up) || paints(up));
    for (const line of mine) {
      const by = cutBy(one, line);
      if (by) say(`${selector(one)} is cut off by ${selector(by)}: ${quoted(node.data)}`);
      else if (painted && !bounds(painted)) {
        const at = box(painted);
        const high = 0.3 * line.height;
        if (line.right > at.right + SLACK || line.left < at.left - SLACK || line.bottom > at.bottom + high || line.top < at.top - high) say(`${selector(one)} stands out of ${selector(painted)}: ${quoted(node.data)}`);
      }
      lines.push({ node, one, line });
    }
  }

  // What scrolls or sticks may pass over other words; what stands may not.
  const stands = ({ one }) => !ups(one).some((up) => up !== room && (["fixed", "sticky"].includes(look(up).position) || bounds(up)));
  const still = lines.filter(stands).sort((a, b) => a.line.top - b.line.top);
  still.forEach((a, place) => {
    for (const b of still.slice(place + 1)) {
      if (b.line.top >= a.line.bottom) break;
      const across = Math.min(a.line.right, b.line.right) - Math.max(a.line.left, b.line.left);
      const down = Math.min(a.line.bottom, b.line.bottom) - Math.max(a.line.top, b.line.top);
      if (a.node !== b.node && across > 2 && down > 0.45 * Math.min(a.line.height, b.line.height)) say(`${selector(a.one)} ${quoted(a.node.data)} lies over ${selector(b.one)} ${quoted(b.node.data)}`);
    }
  });
  return wrong;
}
