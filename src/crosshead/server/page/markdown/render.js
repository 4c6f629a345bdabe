// Markdown for reading. Elements are built from text nodes, so nothing in a document can become markup.
//
// A text may begin in the middle of a list or a table, because chunks do: rows without a head are a table, too.

import { h } from "../shared/dom.js";
import { inline, labelOf } from "./inline.js";
import { cut, indentOf, linesOf, makeLine, placeOf, textAt, trim } from "./lines.js";

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

// `source` is the document's, for relative links. Of a part of a document, some links have no definition, unless it comes
// with those of the whole; `from`, the offset at which it begins, lets `markSpan` find places of the document in it.
export function render(text, source = "", { from = 0, definitions = definitionsIn(text), isPart = false } = {}) {
  const root = h("div", { class: "markdown", dir: "auto" });
  return fill(root, linesOf(text, from), { source, definitions, isPart }, 0);
}

export const renderPart = (text, source) => render(text, source, { isPart: true });

// The addresses that link definitions name, by label; the first one counts.
export function definitionsIn(text) {
  const definitions = new Map();
  for (const line of text.split(/\r?\n/)) {
    const [, label, href] = DEFINITION.exec(line) ?? [];
    if (label && !definitions.has(labelOf(label))) definitions.set(labelOf(label), href);
  }
  return definitions;
}

function fill(root, lines, context, depth) {
  if (depth > DEEPEST) root.append(...asText(lines));
  else for (let at = 0; at < lines.length;) at = take(lines, at, root, context, depth);
  return root;
}

// Append the block that begins at a line, and return the line after it.
function take(lines, at, root, context, depth) {
  const line = lines[at].text;
  const heading = HEADING.exec(line);
  if (!line.trim() || DEFINITION.test(line)) return at + 1;
  if (FENCE.test(line)) return takeFence(lines, at, root);
  if (heading) {
    root.append(makeHeading(heading[1].length, [titleOf(lines[at])], context));
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

// Text that stays as it is.
const asText = (lines) => lines.map((line, at) => textAt(line.text + (at < lines.length - 1 ? "\n" : ""), placeOf(line)));

// The text of a heading between its marks.
function titleOf({ text, end }) {
  const inside = text.replace(/(^|\s)#+\s*$/, "");
  return trim(makeLine(inside.replace(/^ {0,3}#*/, ""), end - text.length + inside.length));
}

function makeHeading(level, lines, context) {
  const attributes = { class: `heading level-${level}`, role: "heading", "aria-level": Math.min(6, level + 2) };
  return h("p", attributes, inline(lines, context));
}

const makeCode = (lines) => h("pre", { tabindex: "0", role: "region", "aria-label": "Code" }, asText(lines));

function takeFence(lines, at, root) {
  const [, indent, mark] = FENCE.exec(lines[at].text);
  const closing = new RegExp(`^ *${mark[0]}{${mark.length},}\\s*$`);
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end].text)) end += 1;
  root.append(makeCode(lines.slice(at + 1, end).map((line) => cut(line, Math.min(indent.length, indentOf(line))))));
  return end + 1;
}

function takeIndented(lines, at, root) {
  let end = at + 1;
  while (end < lines.length && (INDENTED.test(lines[end].text) || isBlank(lines[end]))) end += 1;
  while (isBlank(lines[end - 1])) end -= 1;
  root.append(makeCode(lines.slice(at, end).map((line) => cut(line, 4))));
  return end;
}

function takeComment(lines, at) {
  let end = at;
  while (end < lines.length - 1 && !lines[end].text.includes("-->")) end += 1;
  lines[end] = cut(lines[end], /^.*?(?:-->|$)/.exec(lines[end].text)[0].length);
  return end;
}

function takeQuote(lines, at, root, context, depth) {
  let end = at;
  while (end < lines.length && (QUOTE.test(lines[end].text) || isParagraph(lines[end]))) end += 1;
  const inside = lines.slice(at, end).map((line) => cut(line, QUOTE.exec(line.text)?.[0].length ?? 0));
  const [, alert] = ALERT.exec(inside[0].text) ?? [];
  if (alert) inside.splice(0, 1, makeLine(`**${alert[0]}${alert.slice(1).toLowerCase()}**`, inside[0].end), makeLine("", inside[0].end));
  root.append(fill(h("blockquote"), inside, context, depth + 1));
  return end;
}

function takeList(lines, at, root, context, depth) {
  const [, indent, mark] = ITEM.exec(lines[at].text);
  const isSame = (line) => {
    const item = ITEM.exec(line?.text ?? "");
    return item && item[1].length >= indent.length && item[2].at(-1) === mark.at(-1) && !RULE.test(line.text);
  };
  const first = Number.parseInt(mark, 10);
  const list = Number.isNaN(first) ? h("ul") : h("ol", { start: first });
  while (isSame(lines[at])) {
    const end = endOfItem(lines, at);
    const inside = ITEM.exec(lines[at].text)[0].length;
    const body = lines.slice(at, end).map((line) => cut(line, Math.min(inside, indentOf(line))));
    const first = cut(lines[at], inside);
    body[0] = makeLine(first.text.replace(TASK, (_, check) => (check === " " ? "☐ " : "☑ ")), first.end);
    list.append(fill(h("li"), body, context, depth + 1));
    at = end;
    while (at < lines.length && isBlank(lines[at])) at += 1;
  }
  root.append(list);
  return at;
}

function endOfItem(lines, at) {
  const inside = ITEM.exec(lines[at].text)[0].length;
  let end = at + 1;
  for (let next = end; next < lines.length; next += 1) {
    const isLazy = end === next && isParagraph(lines[next]);
    if (isBlank(lines[next])) continue;
    if (indentOf(lines[next]) < inside && !isLazy) break;
    end = next + 1;
  }
  return end;
}

function isTable(lines, at) {
  const [line, next] = [lines[at].text, lines[at + 1]?.text];
  if (line.trimStart().startsWith("|")) return true;
  return line.includes("|") && next?.includes("|") && ALIGNMENTS.test(next.trim());
}

function takeTable(lines, at, root, context) {
  let end = at;
  while (end < lines.length && lines[end].text.includes("|")) end += 1;
  const rows = lines.slice(at, end);
  const rule = rows.findIndex((row) => ALIGNMENTS.test(row.text.trim()));
  const aligned = rule < 0 ? [] : cells(rows[rule]).map(({ text }) => /:$/.test(text) && (/^:/.test(text) ? "center" : "end"));
  const make = (name, attributes) => (row) =>
    h("tr", {}, cells(row).map((cell, column) => h(name, { ...attributes, class: aligned[column] }, inline([cell], context))));
  const head = rows.slice(0, Math.max(0, rule)).map(make("th", { scope: "col" }));
  const table = h("table", {}, h("thead", {}, head), h("tbody", {}, rows.slice(rule + 1).map(make("td", {}))));
  root.append(h("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Table" }, table));
  return end;
}

function cells({ text, end }) {
  const row = trim(makeLine(text.replace(/(?<!\\)\|\s*$/, ""), end - /(?:(?<!\\)\|)?\s*$/.exec(text)[0].length));
  const inside = row.text.startsWith("|") ? cut(row, 1) : row;
  let at = placeOf(inside);
  return inside.text.split(/(?<!\\)\|/).map((cell) => {
    at += cell.length + 1;
    const { text, end } = trim(makeLine(cell, at - 1));
    return makeLine(text.replaceAll("\\|", "|"), end);
  });
}

function takeParagraph(lines, at, root, context) {
  let end = at + 1;
  while (end < lines.length && isParagraph(lines[end]) && !UNDERLINE.test(lines[end].text) && !isTable(lines, end)) end += 1;
  const inside = lines.slice(at, end).map((line) => cut(line, indentOf(line)));
  inside.push(trim(inside.pop()));
  const [, underline] = UNDERLINE.exec(lines[end]?.text ?? "") ?? [];
  root.append(underline ? makeHeading(underline[0] === "=" ? 1 : 2, inside, context) : h("p", {}, inline(inside, context)));
  return underline ? end + 1 : end;
}

const isBlank = ({ text }) => !text.trim();
const isParagraph = ({ text }) =>
  text.trim() !== "" && ![FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(text));
