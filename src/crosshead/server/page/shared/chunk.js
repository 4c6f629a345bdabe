// Texts about a chunk, in the terms of the library.

export const path = (chunk) => {
  const title = chunk.document_title;
  return chunk.section_path[0] === title ? chunk.section_path : [title, ...chunk.section_path];
};

export const lines = ({ start_line, end_line }) =>
  end_line > start_line ? `lines ${start_line}–${end_line}` : `line ${start_line}`;

// Where a chunk is in its file, as its citation says: a page, a slide, cells or a time; otherwise its lines as Markdown.
export function location(chunk, source) {
  const [, found] = chunk.citation.startsWith(source) ? (/^ ([^(].*)$/.exec(chunk.citation.slice(source.length)) ?? []) : [];
  return found ?? lines(chunk);
}

// The same as `Chunk.render` of the library.
export function rendered(chunk, { breadcrumb = false, overlap = false } = {}) {
  const parts = [];
  if (breadcrumb && chunk.breadcrumb) parts.push(`${chunk.breadcrumb}\n`);
  if (chunk.heading_prefix && !chunk.content.startsWith(chunk.heading_prefix))
    parts.push(`${chunk.heading_prefix}\n\n`);
  if (overlap && chunk.overlap) parts.push(`${chunk.overlap}\n\n`);
  return parts.join("") + chunk.prefix + chunk.content + chunk.suffix;
}

// The part of a chunk that answers, and the parts before and after it.
export function partsOf({ chunk, start, end }) {
  const characters = [...chunk.content];
  const [from, to] = [start - chunk.start, end - chunk.start];
  return [characters.slice(0, from), characters.slice(from, to), characters.slice(to)].map((part) => part.join(""));
}

// Returns the offset of a character: Python counts characters, JavaScript halves of surrogate pairs.
export function placesIn(text, characters) {
  if (characters === text.length) return (offset) => offset;
  const places = new Uint32Array(characters + 1);
  let place = 0;
  let offset = 0;
  for (const character of text) {
    places[offset] = place;
    offset += 1;
    place += character.length;
  }
  places[offset] = place;
  return (each) => places[each];
}

// The citation of a hit or passage; where several indexes are searched, after the location of its index.
export const cited = ({ index, citation }) => (index ? `${index}: ${citation}` : citation);

// Which of several indexes could not be searched; nothing if all were.
export const notSearched = (missing) => {
  const reasons = (missing ?? []).map(({ index, reason }) => `${index}: ${reason}`);
  return reasons.length ? `Not searched: ${reasons.join("; ")}.` : "";
};
