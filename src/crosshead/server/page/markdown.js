// Markdown for reading: blocks become elements, their content stays plain text.

import { h } from "./dom.js";

const FENCE = /^ *(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const QUOTE = /^ {0,3}> ?/;
const DEEPEST_QUOTE = 8;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

export function render(text) {
  return fill(h("div", { class: "markdown", dir: "auto" }), text.split("\n"), 0);
}

function fill(root, lines, depth) {
  for (let at = 0; at < lines.length;) at = take(lines, at, root, depth);
  return root;
}

function take(lines, at, root, depth) {
  const line = lines[at];
  const fence = FENCE.exec(line);
  if (line.trim() === "") return at + 1;
  if (fence) return takeFence(lines, at, fence[1], root);
  const heading = HEADING.exec(line);
  if (heading) {
    root.append(h("p", { class: `heading level-${heading[1].length}` }, heading[2]));
    return at + 1;
  }
  if (line.trimStart().startsWith("|"))
    return takeWhile(lines, at, (each) => each.includes("|"), root, "pre", {
      tabindex: "0",
      role: "region",
      "aria-label": "Table",
    });
  if (QUOTE.test(line) && depth < DEEPEST_QUOTE) return takeQuote(lines, at, root, depth + 1);
  if (ITEM.test(line)) return takeItem(lines, at, root);
  return takeWhile(lines, at, isParagraph, root, "p");
}

function takeFence(lines, at, mark, root) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(mark)) end += 1;
  const indent = /^ */.exec(lines[at])[0].length;
  const code = lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent, /^ */.exec(line)[0].length)));
  root.append(h("pre", { tabindex: "0", role: "region", "aria-label": "Code" }, code.join("\n")));
  return end + 1;
}

function takeQuote(lines, at, root, depth) {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end])) end += 1;
  const inside = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  root.append(fill(h("blockquote", {}), inside, depth));
  return end;
}

function takeItem(lines, at, root) {
  const [, indent, mark, text] = ITEM.exec(lines[at]);
  let end = at + 1;
  while (end < lines.length && isParagraph(lines[end])) end += 1;
  const depth = Math.min(4, Math.floor(indent.length / 2));
  const rest = lines.slice(at + 1, end).map((line) => line.trim());
  root.append(
    h(
      "p",
      { class: `item depth-${depth}` },
      h("span", { class: "mark", "aria-hidden": "true" }, /\d/.test(mark) ? mark : "–"),
      h("span", {}, [text, ...rest].join(" ")),
    ),
  );
  return end;
}

function takeWhile(lines, at, belongs, root, name, attributes = {}) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() !== "" && belongs(lines[end])) end += 1;
  root.append(h(name, attributes, lines.slice(at, end).join("\n")));
  return end;
}

const isParagraph = (line) =>
  line.trim() !== "" &&
  !FENCE.test(line) &&
  !HEADING.test(line) &&
  !ITEM.test(line) &&
  !QUOTE.test(line) &&
  !line.trimStart().startsWith("|");
