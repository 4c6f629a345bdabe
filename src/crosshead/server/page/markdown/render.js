// Markdown for reading. Elements are built from text nodes, so nothing in a document can become markup.
//
// A text may begin in the middle of a list or a table, because chunks do: rows without a head are a table, too.

import { h } from "../shared/dom.js";
import { inline, labelOf } from "./inline.js";

const DEEPEST = 10;
const FENCE = /^( *)(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?: (.*)|$)/;
const UNDERLINE = /^ {0,3}(=+|-{2,})\s*$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?: {1,4}(?! )| |$)/;
const INDENTED = /^ {4}/;
const ALIGNMENTS = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;
const DEFINITION = /^ {0,3}\[(?!\^)([^[\]]+)\]:\s*<?([^\s<>]+)>?(?:\s+["'(].*)?\s*$/;
const COMMENT = /^\s*<!--/;
const TASK = /^\[([ xX])\] /;
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$/;

// `source` is the document's, for relative links.
export function render(text, source = "") {
  const lines = text.replaceAll("\t", "    ").split(/\r?\n/);
  const definitions = new Map();
  for (const line of lines) {
    const [, label, href] = DEFINITION.exec(line) ?? [];
    if (label && !definitions.has(labelOf(label))) definitions.set(labelOf(label), href);
  }
  return fill(h("div", { class: "markdown", dir: "auto" }), lines, { source, definitions }, 0);
}

function fill(root, lines, context, depth) {
  if (depth > DEEPEST) root.append(lines.join("\n"));
  else for (let at = 0; at < lines.length;) at = take(lines, at, root, context, depth);
  return root;
}

// Append the block that begins at a line, and return the line after it.
function take(lines, at, root, context, depth) {
  const line = lines[at];
  const heading = HEADING.exec(line);
  if (!line.trim() || DEFINITION.test(line)) return at + 1;
  if (FENCE.test(line)) return takeFence(lines, at, root);
  if (heading) {
    root.append(makeHeading(heading[1].length, (heading[2] ?? "").trim().replace(/(^|\s)#+$/, ""), context));
    return at + 1;
  }
  if (RULE.test(line)) {
    root.append(h("hr"));
    return at + 1;
  }
  if (isTable(lines, at)) return takeTable(lines, at, root, context);
  if (QUOTE.test(line)) return takeQuote(lines, at, root, context, depth);
  if (ITEM.test(line)) return takeList(lines, at, root, context, depth);
  if (INDENTED.test(line)) return takeIndented(lines, at, root);
  if (COMMENT.test(line)) return takeComment(lines, at);
  return takeParagraph(lines, at, root, context);
}

const indentOf = (line) => line.length - line.trimStart().length;

function makeHeading(level, text, context) {
  const attributes = { class: `heading level-${level}`, role: "heading", "aria-level": Math.min(6, level + 2) };
  return h("p", attributes, inline(text, context));
}

const makeCode = (lines) => h("pre", { tabindex: "0", role: "region", "aria-label": "Code" }, lines.join("\n"));

function takeFence(lines, at, root) {
  const [, indent, mark] = FENCE.exec(lines[at]);
  const closing = new RegExp(`^ *${mark[0]}{${mark.length},}\\s*$`);
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end])) end += 1;
  root.append(makeCode(lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent.length, indentOf(line))))));
  return end + 1;
}

function takeIndented(lines, at, root) {
  let end = at + 1;
  while (end < lines.length && (INDENTED.test(lines[end]) || !lines[end].trim())) end += 1;
  while (!lines[end - 1].trim()) end -= 1;
  root.append(makeCode(lines.slice(at, end).map((line) => line.slice(4))));
  return end;
}

function takeComment(lines, at) {
  let end = at;
  while (end < lines.length - 1 && !lines[end].includes("-->")) end += 1;
  lines[end] = lines[end].replace(/^.*?(?:-->|$)/, "");
  return end;
}

function takeQuote(lines, at, root, context, depth) {
  let end = at;
  while (end < lines.length && (QUOTE.test(lines[end]) || isParagraph(lines[end]))) end += 1;
  const inside = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  const [, alert] = ALERT.exec(inside[0]) ?? [];
  if (alert) inside[0] = `**${alert[0]}${alert.slice(1).toLowerCase()}**`;
  if (alert) inside.splice(1, 0, "");
  root.append(fill(h("blockquote"), inside, context, depth + 1));
  return end;
}

function takeList(lines, at, root, context, depth) {
  const [, indent, mark] = ITEM.exec(lines[at]);
  const isSame = (line) => {
    const item = ITEM.exec(line ?? "");
    return item && item[1].length >= indent.length && item[2].at(-1) === mark.at(-1) && !RULE.test(line);
  };
  const first = Number.parseInt(mark, 10);
  const list = Number.isNaN(first) ? h("ul") : h("ol", { start: first });
  while (isSame(lines[at])) {
    const end = endOfItem(lines, at);
    const inside = ITEM.exec(lines[at])[0].length;
    const body = lines.slice(at, end).map((line) => line.slice(Math.min(inside, indentOf(line))));
    body[0] = lines[at].slice(inside).replace(TASK, (_, check) => (check === " " ? "☐ " : "☑ "));
    list.append(fill(h("li"), body, context, depth + 1));
    at = end;
    while (at < lines.length && !lines[at].trim()) at += 1;
  }
  root.append(list);
  return at;
}

function endOfItem(lines, at) {
  const inside = ITEM.exec(lines[at])[0].length;
  let end = at + 1;
  for (let next = end; next < lines.length; next += 1) {
    const isLazy = end === next && isParagraph(lines[next]);
    if (!lines[next].trim()) continue;
    if (indentOf(lines[next]) < inside && !isLazy) break;
    end = next + 1;
  }
  return end;
}

function isTable(lines, at) {
  if (lines[at].trimStart().startsWith("|")) return true;
  return lines[at].includes("|") && lines[at + 1]?.includes("|") && ALIGNMENTS.test(lines[at + 1].trim());
}

function takeTable(lines, at, root, context) {
  let end = at;
  while (end < lines.length && lines[end].includes("|")) end += 1;
  const rows = lines.slice(at, end);
  const rule = rows.findIndex((row) => ALIGNMENTS.test(row.trim()));
  const aligned = rule < 0 ? [] : cells(rows[rule]).map((each) => /:$/.test(each) && (/^:/.test(each) ? "center" : "end"));
  const make = (name, attributes) => (row) =>
    h("tr", {}, cells(row).map((cell, column) => h(name, { ...attributes, class: aligned[column] }, inline(cell, context))));
  const head = rows.slice(0, Math.max(0, rule)).map(make("th", { scope: "col" }));
  const table = h("table", {}, h("thead", {}, head), h("tbody", {}, rows.slice(rule + 1).map(make("td", {}))));
  root.append(h("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Table" }, table));
  return end;
}

function cells(row) {
  const inside = row.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function takeParagraph(lines, at, root, context) {
  let end = at + 1;
  while (end < lines.length && isParagraph(lines[end]) && !UNDERLINE.test(lines[end]) && !isTable(lines, end)) end += 1;
  const text = lines.slice(at, end).map((line) => line.trimStart()).join("\n").trimEnd();
  const [, underline] = UNDERLINE.exec(lines[end] ?? "") ?? [];
  root.append(underline ? makeHeading(underline[0] === "=" ? 1 : 2, text, context) : h("p", {}, inline(text, context)));
  return underline ? end + 1 : end;
}

const isParagraph = (line) =>
  line.trim() !== "" && ![FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
