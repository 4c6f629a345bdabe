// Lines of a Markdown text that know where they are in it, so that what is rendered can be found in the text again.
//
// What a line has lost at its beginning (indentation, marks of lists and quotes) does not change where it ends, so the
// place of its rest follows from that. Text nodes have a place of their own, from which `markSpan` marks a part of the text.

import { h } from "../shared/dom.js";

const places = new WeakMap();

// `from` is the offset of the text's first character.
export function linesOf(text, from = 0) {
  let end = from - 1;
  return text.split("\n").map((line) => {
    end += line.length + 1;
    const [indent] = /^[ \t]*/.exec(line);
    const plain = line.endsWith("\r") ? line.slice(0, -1) : line;
    return makeLine(indent.replaceAll("\t", "    ") + plain.slice(indent.length), end - line.length + plain.length);
  });
}

export const makeLine = (text, end) => ({ text, end });
export const cut = ({ text, end }, length) => makeLine(text.slice(length), end);
export const indentOf = ({ text }) => text.length - text.trimStart().length;
export const placeOf = ({ text, end }) => end - text.length;

export function trim({ text, end }) {
  const trimmed = text.trimEnd();
  return makeLine(trimmed.trimStart(), end - text.length + trimmed.length);
}

// A text node at a place.
export function textAt(text, place) {
  const node = document.createTextNode(text);
  places.set(node, place);
  return node;
}

export const placeOfNode = (node) => places.get(node);

// Mark what is rendered of a text from `start` to `end`; the marks are returned. Further spans can be marked afterwards.
export function markSpan(root, start, end, kind = "cited") {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes.map((node) => markText(node, start - places.get(node), end - places.get(node), kind)).filter(Boolean);
}

function markText(node, start, end, kind) {
  const { data } = node;
  const [from, to] = [Math.max(0, start), Math.min(data.length, end)];
  if (!(from < to) || !data.slice(from, to).trim()) return null;
  const place = places.get(node);
  const mark = h("mark", { class: kind }, textAt(data.slice(from, to), place + from));
  node.replaceWith(textAt(data.slice(0, from), place), mark, textAt(data.slice(to), place + to));
  return mark;
}
