// Inline Markdown: emphasis, code, links and line breaks become elements; everything else stays text.
//
// 1. Walk the characters: escapes, entities, code, tags and plain addresses become nodes at once.
// 2. At a closing bracket, decide whether it ends a link or an image.
// 3. Match delimiters of emphasis last; those without a partner stay text.
//
// A link leads to a web page, to a mail address or to another document, never to a script. Images are not loaded.

import * as address from "../shared/address.js";
import { h } from "../shared/dom.js";
import { makeLine, placeOf, textAt } from "./lines.js";

const LONGEST = 20_000;
const FARTHEST = 400; // nodes to look back for the other end of emphasis
const SPECIAL = /[\\`*_~[\]<&\n]|!\[|https?:\/\//g;
const PLAIN_ADDRESS = /https?:\/\/[^\s<>"'`|]*[^\s<>"'`|.,;:!?)\]*_~]/y;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/iy;
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/iy;
const COMMENT = /<!--[\s\S]*?-->/y;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/iy;
const TARGET = /\(\s?(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s{1,9}(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s?\)/y;
const LABEL = /\[([^[\]]{0,999})\]/y;
const WEB = ["http:", "https:", "mailto:"];
const NAMED = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", ndash: "–", mdash: "—", hellip: "…", copy: "©",
  reg: "®", trade: "™", times: "×", larr: "←", rarr: "→", middot: "·", bull: "•", deg: "°", euro: "€", check: "✓",
}; // prettier-ignore
const BREAKS = new Set("br p div li tr dt dd h1 h2 h3 h4 h5 h6 summary table ul ol".split(" "));
const IGNORED = new Set(
  (
    "a abbr b blockquote center cite code del details dl em font hr i ins kbd mark picture s samp section small source " +
    "span strong sub sup tbody td tfoot th thead tt u var"
  ).split(" "),
);

// `given` is a text, or the lines of a block, which know their places. `context` holds the link definitions of the text,
// and the source that relative links start from.
export function inline(given, context) {
  const lines = typeof given === "string" ? [makeLine(given, given.length)] : given;
  const length = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
  return length > LONGEST ? lines.map((line) => textAt(`${line.text}\n`, placeOf(line))) : new Reader(lines, context).read();
}

export const labelOf = (label) => label.trim().replace(/\s+/g, " ").toLowerCase();

class Reader {
  constructor(lines, context) {
    const text = lines.map((line) => line.text).join("\n");
    Object.assign(this, { text, lines, context, at: 0, nodes: [], brackets: [], line: 0, lineStart: 0 });
  }

  read() {
    while (this.at < this.text.length) {
      SPECIAL.lastIndex = this.at;
      const next = SPECIAL.exec(this.text)?.index ?? this.text.length;
      if (next > this.at) this.nodes.push(this.textFrom(this.at, next));
      this.at = next;
      if (next < this.text.length) this.readSpecial(this.text[next]);
    }
    return emphasize(this.nodes);
  }

  textFrom(start, end) {
    return textAt(this.text.slice(start, end), this.place(start));
  }

  // Where a character of the text is in the document; asked for from the first line to the last, mostly.
  place(at) {
    while (at < this.lineStart) {
      this.line -= 1;
      this.lineStart -= this.lines[this.line].text.length + 1;
    }
    while (at > this.lineStart + this.lines[this.line].text.length) {
      this.lineStart += this.lines[this.line].text.length + 1;
      this.line += 1;
    }
    return placeOf(this.lines[this.line]) + at - this.lineStart;
  }

  readSpecial(character) {
    if (character === "\\") this.readEscape();
    else if (character === "`") this.readCode();
    else if (character === "\n") this.readBreak();
    else if (character === "[" || character === "!") this.openBracket();
    else if (character === "]") this.closeBracket();
    else if (character === "<") this.readTag();
    else if (character === "&") this.readEntity();
    else if (character === "h") this.readAddress();
    else this.readDelimiter(character);
  }

  // Go on after `length` characters, which stand for these nodes; without any, for themselves.
  take(length, ...nodes) {
    const place = this.place(this.at);
    const made = nodes.map((node) => (typeof node === "string" ? textAt(node, place) : node));
    this.nodes.push(...(nodes.length ? made : [this.textFrom(this.at, this.at + length)]));
    this.at += length;
  }

  match(pattern, at = this.at) {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }

  readEscape() {
    const next = this.text[this.at + 1];
    if (next === "\n") this.take(2, h("br"));
    else if (next && /[!-/:-@[-`{-~]/.test(next)) this.take(2, this.textFrom(this.at + 1, this.at + 2));
    else this.take(1);
  }

  readCode() {
    const [ticks] = this.match(/`+/y);
    let end = this.at + ticks.length;
    for (const run of this.text.slice(end).matchAll(/`+/g)) {
      if (run[0].length !== ticks.length) continue;
      end += run.index;
      const start = this.at + ticks.length;
      const code = this.text.slice(start, end).replaceAll("\n", " ");
      const padding = /^ .*\S.* $/.test(code) ? 1 : 0;
      const text = textAt(code.slice(padding, code.length - padding), this.place(start + padding));
      return this.take(end + ticks.length - this.at, h("code", {}, text));
    }
    return this.take(ticks.length);
  }

  readBreak() {
    const before = this.nodes.at(-1);
    if (!before?.data?.endsWith("  ")) return this.take(1);
    before.data = before.data.trimEnd();
    return this.take(1, h("br"));
  }

  readTag() {
    const link = this.match(AUTOLINK);
    if (link) return this.take(link[0].length, anchor(link[1].includes(":") ? link[1] : `mailto:${link[1]}`, [this.textFrom(this.at + 1, this.at + 1 + link[1].length)], this.context));
    const comment = this.match(COMMENT);
    if (comment) return this.take(comment[0].length, "");
    const tag = this.match(TAG);
    const name = tag?.[2].toLowerCase();
    if (name === "img") return this.take(tag[0].length, image([/\salt\s*=\s*"([^"]*)"/i.exec(tag[3])?.[1] ?? ""]));
    if (BREAKS.has(name)) return this.take(tag[0].length, tag[1] && name !== "br" ? " " : h("br"));
    if (IGNORED.has(name)) return this.take(tag[0].length, /^t[dh]$/.test(name) ? " " : "");
    return this.take(1);
  }

  readEntity() {
    const [whole, decimal, hexadecimal, name] = this.match(ENTITY) ?? ["&"];
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (code > 0 && code <= 0x10ffff) this.take(whole.length, String.fromCodePoint(code));
    else this.take(whole.length, NAMED[name] ?? whole);
  }

  readAddress() {
    const [found] = this.match(PLAIN_ADDRESS) ?? [""];
    if (found) this.take(found.length, anchor(found, [this.textFrom(this.at, this.at + found.length)], this.context));
    else this.take(1);
  }

  readDelimiter(character) {
    let end = this.at;
    while (this.text[end] === character) end += 1;
    const [before, after] = [this.text[this.at - 1] ?? " ", this.text[end] ?? " "];
    this.take(end - this.at, new Delimiter(character, end - this.at, before, after, this.place(this.at)));
  }

  openBracket() {
    const length = this.text[this.at] === "!" ? 2 : 1;
    this.brackets.push({ node: this.nodes.length, text: this.at + length, isImage: length === 2 });
    this.take(length);
  }

  closeBracket() {
    const opener = this.brackets.pop();
    if (!opener) return this.take(1);
    const label = this.text.slice(opener.text, this.at);
    if (label.startsWith("^")) {
      this.nodes.length = opener.node;
      return this.take(1, h("sup", {}, textAt(label.slice(1), this.place(opener.text + 1))));
    }
    const { href, length } = this.readTarget(label);
    if (href === undefined) return this.takeUndefined(opener);
    const inside = emphasize(this.nodes.splice(opener.node).slice(1));
    if (!opener.isImage) this.brackets = this.brackets.filter((each) => each.isImage); // no links inside links
    return this.take(length, opener.isImage ? image(inside) : anchor(href, inside, this.context));
  }

  // In a part of a document, the definition of a link may be missing: its text stays, without brackets.
  takeUndefined(opener) {
    const label = this.context.isPart && this.match(LABEL, this.at + 1);
    const isIndex = /[\p{L}\p{N}_)\]]/u.test(this.text[opener.text - 2] ?? ""); // as in x[0][1]
    if (!label || isIndex || opener.isImage) return this.take(1);
    this.nodes.splice(opener.node, 1);
    return this.take(1 + label[0].length, "");
  }

  readTarget(label) {
    const target = this.match(TARGET, this.at + 1);
    if (target) return { href: target[1].replace(/^<|>$/g, ""), length: 1 + target[0].length };
    const named = this.match(LABEL, this.at + 1);
    const href = this.context.definitions.get(labelOf(named?.[1] || label));
    return { href, length: 1 + (named?.[0].length ?? 0) };
  }
}

// A run of `*`, `_` or `~`.
class Delimiter {
  constructor(character, count, before, after, place) {
    const [isSpace, isMark] = [/\s/, /[\p{P}\p{S}]/u];
    const left = !isSpace.test(after) && (!isMark.test(after) || isSpace.test(before) || isMark.test(before));
    const right = !isSpace.test(before) && (!isMark.test(before) || isSpace.test(after) || isMark.test(after));
    const isWord = character === "_";
    this.character = character;
    this.count = count;
    this.place = place;
    this.opens = left && (!isWord || !right || isMark.test(before));
    this.closes = right && (!isWord || !left || isMark.test(after));
  }

  toText() {
    return textAt(this.character.repeat(this.count), this.place);
  }
}

function emphasize(nodes) {
  const done = [];
  for (const node of nodes) {
    if (node instanceof Delimiter && node.closes) close(done, node);
    if (!(node instanceof Delimiter) || node.count) done.push(node);
  }
  return done.map(asText);
}

function close(done, closer) {
  for (let at = openerOf(done, closer); closer.count && at >= 0; at = openerOf(done, closer)) {
    const opener = done[at];
    const used = opener.count > 1 && closer.count > 1 ? 2 : 1;
    if (closer.character === "~" && used < 2) return;
    const inside = done.splice(at + 1).map(asText);
    opener.count -= used;
    closer.count -= used;
    if (!opener.count) done.pop();
    done.push(h(closer.character === "~" ? "del" : used === 2 ? "strong" : "em", {}, inside));
  }
}

function openerOf(done, closer) {
  for (let at = done.length - 1; at >= Math.max(0, done.length - FARTHEST); at -= 1) {
    if (done[at] instanceof Delimiter && done[at].opens && done[at].character === closer.character) return at;
  }
  return -1;
}

const asText = (node) => (node instanceof Delimiter ? node.toText() : node);

function image(alternative) {
  const text = h("span", { class: "image" }, alternative);
  return text.textContent.trim() ? text : "";
}

function anchor(href, children, context) {
  const attributes = linkTo(href, context.source);
  return attributes ? h("a", attributes, children) : h("span", {}, children);
}

function linkTo(href, source) {
  const url = parse(href);
  if (url) return WEB.includes(url.protocol) ? { href: url.href, rel: "noopener noreferrer", target: "_blank" } : null;
  if (!source) return null;
  const from = parse(source);
  if (from && WEB.includes(from.protocol)) return linkTo(new URL(href, from).href);
  try {
    const base = `http://documents/${source.split("/").map(encodeURIComponent).join("/")}`;
    const { host, pathname, hash } = new URL(href, base);
    const [path, heading] = [pathname, hash].map((each) => decodeURIComponent(each.slice(1)));
    return host === "documents" ? { href: address.link("read", { path, heading }) } : null;
  } catch {
    return null;
  }
}

function parse(href) {
  try {
    return new URL(href);
  } catch {
    return null;
  }
}
