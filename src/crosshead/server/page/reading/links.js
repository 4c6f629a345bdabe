// What the text that is read links to, and what links to it: of the section that was found, or of the whole document.

import * as address from "../shared/address.js";
import * as api from "../shared/api.js";
import { h } from "../shared/dom.js";

const MOST = 50; // links in each direction

export class LinksView {
  constructor(signal) {
    this.signal = signal;
    this.lists = h("div", { class: "link-lists" });
    this.element = h("details", { class: "link-lists", hidden: true }, h("summary", {}, "Links"), this.lists);
  }

  // `place` is a source or the id of a section.
  async show(place) {
    if (place === this.place) return;
    this.place = place;
    const found = await api.get("/v1/links", { address: place }, this.signal).catch(() => ({ out: [], into: [] }));
    if (this.signal.aborted || place !== this.place) return;
    const { out, into } = found;
    this.element.hidden = !out.length && !into.length;
    this.lists.replaceChildren(makeList("Links to", out, makeOut), makeList("Linked from", into, makeInto));
  }
}

const makeList = (title, links, make) => {
  if (!links.length) return "";
  const more = links.length > MOST ? h("li", {}, `and ${links.length - MOST} more`) : "";
  return h("section", {}, h("h2", {}, title), h("ul", {}, ...links.slice(0, MOST).map(make), more));
};

const makeOut = ({ text, target, to_source: source, to_document_id: document, anchor, problem }) => {
  const label = text || target;
  const where = ` ${source || target}${anchor && source ? `#${anchor}` : ""}`;
  if (problem || !document) return h("li", { class: problem ? "broken" : "" }, label, h("span", { class: "where-to" }, problem ? ` ${problem}` : where));
  return h("li", {}, h("a", { href: address.link("read", { document, heading: anchor }) }, label), h("span", { class: "where-to" }, where));
};

const makeInto = ({ text, source, citation }) =>
  h("li", {}, h("a", { href: address.link("read", { path: source, line: lineOf(citation) }) }, citation), h("span", { class: "where-to" }, ` ${text}`));

const lineOf = (citation) => citation.match(/:(\d+)/)?.[1];
