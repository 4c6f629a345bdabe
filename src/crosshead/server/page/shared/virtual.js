// A long list; only its visible items are in the page.
//
// 1. Heights are estimated first, and measured when an item is shown.
// 2. The items in the window and a few around it are shown.
// 3. If a measured height above the window differs from its estimate, scroll along, so that nothing jumps.

import { h } from "./dom.js";

const AROUND = 600;

export class VirtualList {
  constructor(host, make, guess, around = AROUND) {
    this.host = host;
    this.around = around;
    this.make = make;
    this.guess = guess;
    this.items = [];
    this.shown = new Map();
    this.space = h("div", { class: "virtual-space" });
    host.replaceChildren(this.space);
    host.addEventListener("scroll", () => this.paint(), { passive: true });
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(host);
  }

  setItems(items) {
    this.items = items;
    this.heights = Float64Array.from(items, (item) => this.guess(item));
    this.refresh();
  }

  // Render the visible items again.
  refresh() {
    for (const node of this.shown.values()) node.remove();
    this.shown.clear();
    this.place();
    this.paint();
  }

  // Show an item at the top of the window, or what is so far inside it.
  scrollTo(at, inside = 0) {
    for (let round = 0; round < 4; round += 1) {
      this.host.scrollTop = this.tops[at] + inside;
      this.paint();
    }
  }

  first() {
    return this.at(this.host.scrollTop);
  }

  resized() {
    if (this.width === this.host.clientWidth) return this.paint();
    this.width = this.host.clientWidth;
    const [at, top] = [this.first(), this.host.scrollTop];
    const inside = top - (this.tops?.[at] ?? top);
    this.refresh();
    this.scrollTo(at, inside);
    return undefined;
  }

  place() {
    this.tops = new Float64Array(this.items.length + 1);
    for (let at = 0; at < this.items.length; at += 1) this.tops[at + 1] = this.tops[at] + this.heights[at];
    this.space.style.height = `${this.tops[this.items.length]}px`;
  }

  at(y) {
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  paint() {
    if (!this.items.length || !this.host.clientHeight) return;
    const top = this.host.scrollTop;
    const anchor = this.at(top);
    const first = this.at(top - this.around);
    const last = this.at(top + this.host.clientHeight + this.around);
    for (const [at, node] of this.shown) {
      if (at < first || at > last) {
        node.remove();
        this.shown.delete(at);
      }
    }
    const added = new Map();
    for (let at = last; at >= first; at -= 1) {
      if (this.shown.has(at)) continue;
      const node = this.make(this.items[at], at);
      this.space.insertBefore(node, this.shown.get(at + 1) ?? null); // in order, so that a selection is
      this.shown.set(at, node);
      added.set(at, node);
    }
    if (added.size) this.measure(anchor, added);
  }

  // Measure an item again, because something in it has become larger.
  resize(node) {
    for (const [at, each] of this.shown) {
      if (each === node) this.measure(this.at(this.host.scrollTop), new Map([[at, node]]));
    }
  }

  // Only a new width changes a height that was measured, and then all items are made again.
  measure(anchor, added) {
    const before = this.tops[anchor];
    let changed = false;
    for (const [at, node] of added) {
      const height = node.offsetHeight;
      if (Math.abs(height - this.heights[at]) > 0.5) {
        this.heights[at] = height;
        changed = true;
      }
    }
    if (changed) {
      this.place();
      const moved = this.tops[anchor] - before;
      if (moved) this.host.scrollTop += moved;
    }
    for (const [at, node] of changed ? this.shown : added) node.style.transform = `translateY(${this.tops[at]}px)`;
  }
}
