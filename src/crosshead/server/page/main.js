// The current view, and what all views share: the theme and keys.

import { showChunks } from "./chunks/chunks.js";
import { showDocuments } from "./documents/documents.js";
import { showEvaluation } from "./evaluation/evaluation.js";
import { showReading } from "./reading/reading.js";
import { showSearch } from "./search/search.js";
import * as address from "./shared/address.js";
import { h, isTyping } from "./shared/dom.js";
import { showKeys } from "./shared/keys.js";

const VIEWS = { search: showSearch, chunks: showChunks, documents: showDocuments, evaluation: showEvaluation, read: showReading };
const THEMES = ["auto", "light", "dark"];
const main = document.getElementById("main");
let leave = null;

function show() {
  const { view, given } = address.read();
  const shown = VIEWS[view] ? view : "search";
  leave?.();
  leave = null;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${shown[0].toUpperCase()}${shown.slice(1)} · Crosshead`;
  const root = h("div", { class: `view ${shown}` });
  main.replaceChildren(root);
  leave = VIEWS[shown](root, given) ?? null;
}

function useTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem("crosshead-theme", theme);
  const button = document.getElementById("theme");
  button.textContent = `Theme: ${theme}`;
  button.onclick = () => useTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]);
}

document.addEventListener("keydown", (event) => {
  if (isTyping(event)) return;
  if (event.key === "?") showKeys();
  if (event.key !== "/") return;
  event.preventDefault();
  const field = document.querySelector("input[type=search]");
  if (field) field.focus();
  else address.go("search");
});
document.getElementById("keys").addEventListener("click", showKeys);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", show);
useTheme(localStorage.getItem("crosshead-theme") ?? "auto");
show();
