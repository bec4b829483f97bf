// The numbers tick where they stand; without this file they are as old as the page. Nothing is announced or moved.
const SIZES = { days: 86400, hours: 3600, minutes: 60, seconds: 1 };

function show(count, seconds) {
  let left = seconds;
  for (const part of count.querySelectorAll("[data-part]")) {
    const size = SIZES[part.dataset.part];
    const number = Math.floor(left / size);
    left -= number * size;
    part.querySelector("b").textContent = number;
    part.querySelector("small").textContent = number === 1 ? part.dataset.one : part.dataset.many;
  }
}

for (const count of document.querySelectorAll("[data-until]")) {
  const ahead = Date.parse(count.dataset.now) - Date.now(); // the server's clock counts, not the reader's
  const tick = () => {
    const left = Math.floor((Date.parse(count.dataset.until) - Date.now() - ahead) / 1000);
    show(count, Math.max(0, left));
    if (left > 0) setTimeout(tick, 1000);
    else for (const words of count.parentElement.querySelectorAll("[data-over]")) words.hidden = false;
  };
  tick();
}
