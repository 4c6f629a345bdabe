// The sizes of chunks, with the chosen sizes marked.

import { h, svg } from "../shared/dom.js";

const BINS = 32;
const WIDTH = 288;
const HEIGHT = 64;

export function histogram(chunks, options) {
  const sizes = chunks.map((chunk) => chunk.token_count);
  const largest = sizes.reduce((one, other) => Math.max(one, other), 0);
  const most = Math.max(options.max_tokens * 1.1, largest);
  const bins = new Array(BINS).fill(0);
  for (const size of sizes) bins[Math.min(BINS - 1, Math.floor((size / most) * BINS))] += 1;
  const highest = Math.max(1, ...bins);
  const x = (tokens) => (tokens / most) * WIDTH;
  const bars = bins.map((amount, at) => {
    const height = amount ? Math.max(2, (amount / highest) * HEIGHT) : 0;
    return svg("rect", {
      class: "bin",
      x: at * (WIDTH / BINS) + 0.5,
      y: HEIGHT - height,
      width: WIDTH / BINS - 1,
      height,
    });
  });
  const marks = [
    ["min", options.min_tokens],
    ["max", options.max_tokens],
  ].map(([name, tokens]) => svg("line", { class: `mark ${name}`, x1: x(tokens), x2: x(tokens), y1: 0, y2: HEIGHT }));
  const median = [...sizes].sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
  const summary = `${sizes.length} chunks, median ${median} tokens, largest ${largest}`;
  return h(
    "figure",
    { class: "histogram" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Sizes: ${summary}`, preserveAspectRatio: "none" },
      ...bars,
      ...marks,
    ),
    h("figcaption", {}, summary),
  );
}
