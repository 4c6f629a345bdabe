// The outline of a document, which shows the section that is being read.

import { h } from "../shared/dom.js";
import { VirtualList } from "../shared/virtual.js";

const SMALL = 400; // entries that are in the page at once
const LINE_HEIGHT = 30;

export class OutlineView {
  constructor(root, jump) {
    this.entries = root.children.flatMap((each) => flatten(each, 0));
    this.jump = jump;
    this.current = -1;
    this.element = h("nav", { class: "outline", "aria-label": "Outline" });
    const around = this.entries.length < SMALL ? Infinity : undefined;
    this.list = new VirtualList(this.element, (entry, at) => this.make(entry, at), () => LINE_HEIGHT, around);
  }

  // Once it is visible: a hidden list has no heights.
  show(line) {
    this.list.setItems(this.entries);
    this.follow(line);
  }

  get isEmpty() {
    return !this.entries.length;
  }

  make({ title, depth, line }, at) {
    const button = h("button", { dir: "auto", onclick: () => this.jump(line) }, title || "(untitled)");
    button.style.paddingInlineStart = `${6 + 12 * Math.min(depth, 5)}px`;
    if (at === this.current) button.setAttribute("aria-current", "true");
    return h("div", { class: "entry" }, button);
  }

  // Show which section has a line.
  follow(line) {
    const next = this.entries.findIndex((entry) => entry.line > line);
    const at = (next < 0 ? this.entries.length : next) - 1;
    if (!this.entries.length || !this.element.clientHeight) return;
    this.list.shown.get(this.current)?.firstChild.removeAttribute("aria-current");
    this.current = at;
    this.list.shown.get(at)?.firstChild.setAttribute("aria-current", "true");
    const { scrollTop, clientHeight } = this.element;
    const top = this.list.tops[Math.max(0, at)];
    if (top < scrollTop || top + LINE_HEIGHT > scrollTop + clientHeight) this.list.scrollTo(Math.max(0, at - 3));
  }

  // The line of a heading, named as in the address of a link.
  lineOf(name) {
    return this.entries.find(({ title }) => nameOf(title) === name.toLowerCase())?.line ?? 1;
  }
}

const flatten = ({ title, start_line: line, children }, depth) => [
  { title, depth, line },
  ...children.flatMap((each) => flatten(each, depth + 1)),
];

const nameOf = (title) => title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
