// The state of a view is in the address, after the `#`, so that it can be shared as a link.

export function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: path || "search", given: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

export function link(view, given = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== "" && value !== null && value !== undefined && value !== false) query.set(name, value);
  }
  return query.size ? `#/${view}?${query}` : `#/${view}`;
}

export function go(view, given) {
  location.hash = link(view, given);
}

// Adds no entry to the history: going back letter by letter would be tedious.
export function keep(view, given) {
  history.replaceState(null, "", link(view, given));
}
