// Elements from names, attributes and text. Text only becomes text nodes, so a document cannot become markup.

export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function debounce(action, milliseconds) {
  let timer;
  const later = (...given) => {
    later.cancel();
    timer = setTimeout(() => action(...given), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

export function say(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => status.classList.remove("shown"), 2500);
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without HTTPS, browsers offer only the older interface.
    const area = h("textarea", { class: "off-screen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`${what} copied`);
}

export function acceptFiles(root, take) {
  root.addEventListener("dragover", (event) => {
    event.preventDefault();
    root.classList.add("dragging");
  });
  root.addEventListener("dragleave", () => root.classList.remove("dragging"));
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("dragging");
    if (event.dataTransfer.files.length) take(event.dataTransfer.files);
  });
}

export function download(name, text, type) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const number = (value) => value.toLocaleString("en-US");
export const count = (amount, noun) => `${number(amount)} ${noun}${amount === 1 ? "" : "s"}`;
export const isTyping = (event) =>
  event.target.closest("input, textarea, select, dialog") !== null || event.ctrlKey || event.metaKey || event.altKey;
