// The pictures of a document, in its text: each where it belongs, loaded when that is shown.

import { placeOfNode } from "../markdown/lines.js";
import * as api from "../shared/api.js";
import { h } from "../shared/dom.js";

export class Figures {
  // `onChange` is called with a block, and with what makes it larger.
  constructor(id, signal, onChange) {
    Object.assign(this, { path: `/v1/documents/${id}/figures`, signal, onChange, figures: [], images: new Map() });
  }

  // `place` maps offsets of the server to those of the text. A document whose file cannot be read has no pictures.
  async load(place) {
    const { figures } = await api.get(this.path, {}, this.signal).catch(() => ({ figures: [] }));
    const shown = figures.filter((each) => !each.problem);
    this.figures = shown.map((each) => ({ ...each, from: place(each.start), to: place(each.end) }));
    return this.figures.length > 0;
  }

  // Add the pictures between `from` and `to` to what is rendered of that text; alternative texts stay, as captions.
  addTo(body, { from, to }) {
    const alternatives = [...body.querySelectorAll(".image")].map((node) => [placeOfNode(node.firstChild) ?? -1, node]);
    for (const figure of this.figures.filter((each) => each.from >= from && each.from < to)) {
      const [, named] = alternatives.find(([place]) => place >= figure.from && place < figure.to) ?? [];
      const picture = this.make(figure, !named);
      if (named) named.before(picture);
      else if (figure.to === from) body.prepend(picture);
      else body.append(picture);
    }
  }

  make(figure, isAlone) {
    const { number, alt, caption } = figure;
    const image = h("img", { alt: isAlone ? alt : "", title: caption || alt, hidden: true });
    this.show(image, number).catch(() => image.remove()); // its alternative text stays
    return h("span", { class: "picture", "data-number": number }, image);
  }

  async show(image, number) {
    if (!this.images.has(number)) this.images.set(number, api.blob(`${this.path}/${number}`, {}, this.signal));
    image.src = URL.createObjectURL(await this.images.get(number));
    await image.decode();
    URL.revokeObjectURL(image.src);
    const show = () => {
      image.hidden = false;
    };
    if (image.isConnected) this.onChange(image.closest(".block"), show);
    else show();
  }
}
