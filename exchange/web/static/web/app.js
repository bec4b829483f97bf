// Enhancement only: every page reads and works without this file. No inline handlers, no style attributes, no eval.
const root = document.documentElement;
root.classList.add("js");
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

// Theme: the form sets a cookie and comes back; here the page changes at once and stays where it is.
for (const form of all("form[data-theme-form]")) {
  const button = form.querySelector("button");
  const modes = JSON.parse(form.dataset.themeForm);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = button.value;
    fetch(form.action, { method: "POST", body: new FormData(form, button), redirect: "manual" });
    if (chosen === "auto") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", chosen);
    const names = Object.keys(modes);
    button.value = names[(names.indexOf(chosen) + 1) % names.length];
    button.querySelector(".word").textContent = modes[chosen].word;
    button.setAttribute("aria-label", modes[chosen].label);
  });
}

// Menus close with Escape, and when something else is pressed.
const menus = all("details.menu");
document.addEventListener("click", (event) => {
  for (const menu of menus) if (menu.open && !menu.contains(event.target)) menu.open = false;
});
for (const menu of menus) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

// A live part asks for itself again; an unchanged one answers 304. When it says it is done, the page is loaded anew.
function follow(part) {
  let tag = "";
  const every = Number(part.dataset.every) || 2000;
  const again = () => setTimeout(ask, document.hidden ? every * 5 : every);
  async function ask() {
    try {
      const answer = await fetch(part.dataset.poll, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
      if (answer.status === 200) {
        tag = answer.headers.get("ETag") ?? "";
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
        if (fresh.querySelector("[data-done]")) return location.reload();
        part.replaceChildren(...fresh.childNodes);
      } else if (answer.status === 404) return;
    } catch { /* offline: the next round tries again */ }
    again();
  }
  again();
}
for (const part of all("[data-poll]")) follow(part);

// Board: open "why here" in place and move the reference band to that row.
const board = document.getElementById("board");
if (board) {
  const rows = all("tr.r[data-left]", board);
  const lowerIsBetter = board.dataset.direction === "lower_is_better";
  const ends = (row) => [Number(row.dataset.left), Number(row.dataset.right)];
  const relation = (row, mark) => {
    const [left, right] = ends(row), [markLeft, markRight] = ends(mark);
    if (left > markRight) return lowerIsBetter ? "worse" : "better";
    if (right < markLeft) return lowerIsBetter ? "better" : "worse";
    return "same";
  };
  const mark = (row) => {
    const [left, right] = ends(row);
    for (const other of rows) {
      other.classList.toggle("isref", other === row);
      other.dataset.rel = other === row ? "" : relation(other, row);
    }
    for (const band of all("rect.ref", board)) {
      band.setAttribute("x", `${left}%`);
      band.setAttribute("width", `${right - left}%`);
    }
  };
  const open = (link, on) => {
    const panel = document.getElementById(link.hash.slice(1));
    link.setAttribute("aria-expanded", String(on));
    panel.classList.toggle("on", on);
    const row = link.closest("tr");
    if (on && row.dataset.left) mark(row);
    else for (const other of rows) delete other.dataset.rel;
  };
  for (const link of all("a.why", board)) {
    link.setAttribute("role", "button");
    link.setAttribute("aria-expanded", "false");
    const flip = (event) => {
      event.preventDefault();
      open(link, link.getAttribute("aria-expanded") !== "true");
    };
    link.addEventListener("click", flip);
    link.addEventListener("keydown", (event) => { if (event.key === " ") flip(event); });
    if (location.hash === link.hash) open(link, true);
  }
  board.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = all("a.why", board);
    const at = links.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, at + step))].focus();
  });
}

// Copy buttons appear only where they can work.
for (const button of navigator.clipboard ? all("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = button.dataset.copy;
  });
}
