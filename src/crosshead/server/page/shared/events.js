// Server-sent events as the answer to a request with a body, which EventSource of browsers cannot send.

import { send } from "./api.js";

// Calls `on[name]` with the data of each event, until the server has sent all.
export async function follow(path, body, on, signal) {
  const response = await send(path, body, { Accept: "text/event-stream" }, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value = "", done } = await reader.read();
    const blocks = (rest + value).split("\n\n");
    rest = done ? "" : blocks.pop();
    for (const block of blocks.filter(Boolean)) {
      const [name, data] = block.split("\n");
      on[name.slice("event: ".length)]?.(JSON.parse(data.slice("data: ".length)));
    }
    if (done) return;
  }
}
