// The file of a document: a link, or, on a server with a token, a button, because links carry no token.

import * as api from "../shared/api.js";
import { h, say } from "../shared/dom.js";

export function originalLink({ id, source, no_original: reason }) {
  if (reason) return null;
  const path = `/v1/documents/${id}/original`;
  const label = ["Original ", h("kbd", {}, "o")];
  if (!api.hasToken()) return h("a", { class: "button", href: path, target: "_blank", rel: "noopener" }, label);
  return h("button", { onclick: () => save(path, source.split("/").at(-1)) }, label);
}

async function save(path, name) {
  try {
    const link = h("a", { href: URL.createObjectURL(await api.blob(path)), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (error) {
    say(error.message);
  }
}
