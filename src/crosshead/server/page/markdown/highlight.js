// The words of a search, marked in what the page shows.

import { h } from "../shared/dom.js";

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

// Mark whole words wherever they occur in an element; scripts without spaces have no word boundaries.
export function highlight(root, words) {
  const wanted = [...new Set(words)].sort((one, other) => other.length - one.length);
  if (!wanted.length) return;
  const pattern = new RegExp(`(${wanted.map(wholeWord).join("|")})`, "giu");
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = text.data.split(pattern);
    if (parts.length > 1) text.replaceWith(...parts.map((part, at) => (at % 2 ? h("mark", {}, part) : part)));
  }
}

function wholeWord(word) {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return UNSPACED.test(word) ? escaped : `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`;
}
