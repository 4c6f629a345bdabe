// The request for hits, and their answer, which the reading view asks for again to go from hit to hit.

import * as api from "../shared/api.js";
import { forgive } from "./filters.js";

const LIMIT = 20;
const LEVELS = 2; // of sections above a hit
const NEAREST = 3; // weak hits to show if there are no others
const SHOWN = ["as", "budget", "open"]; // how the search shows what it finds
const READ = ["document", "path", "span", "line", "of", "heading", "page", "side"]; // what the reading view shows
let latest = { key: "", found: null };

const without = (names, state) => Object.fromEntries(Object.entries(state).filter(([name]) => !names.includes(name)));

// Of the state of a reading view, what belongs to the search that led there; and of that, what is asked.
export const searchOf = (state) => without(READ, state);
export const questionOf = (state) => without(SHOWN, searchOf(state));

export async function askHits(state, signal, { again = true } = {}) {
  const given = { ...forgive(questionOf(state)), expand_context: LEVELS, limit: LIMIT };
  const key = JSON.stringify(given);
  if (again || latest.key !== key) latest = { key, found: await api.get("/v1/search", given, signal) };
  return latest.found;
}

// The hits to show at once: the good ones, or else the nearest.
export const goodHits = (hits) => hits.slice(0, hits.filter((hit) => !hit.is_weak).length || NEAREST);

// A snippet in parts, of which every second one is a word of the query. Offsets count characters, not UTF-16 units.
export function snippetParts({ snippet, highlights }) {
  const characters = [...snippet];
  const cuts = [0, ...highlights.flat(), characters.length];
  return cuts.slice(1).map((end, at) => characters.slice(cuts[at], end).join(""));
}

export const wordsOf = (hits) => hits.flatMap((hit) => snippetParts(hit).filter((_, at) => at % 2));
