import type { ServerResponse } from "node:http";

const TICK_MS = 20;

export type SlowLine = {
  send(response: ServerResponse, bytes: Buffer): void;
};

/** Creates a line that carries `bytesPerSecond` in total, shared equally by its downloads. */
export function createSlowLine(bytesPerSecond: number): SlowLine {
  const sending = new Map<ServerResponse, Buffer>();
  let timer: NodeJS.Timeout | undefined;
  let sentMs = 0;

  const tick = (): void => {
    const now = performance.now();
    // A late timer sends what it missed.
    const share = Math.max(1, Math.floor((bytesPerSecond * (now - sentMs)) / 1000 / sending.size));
    sentMs = now;
    for (const [response, rest] of sending) {
      response.write(rest.subarray(0, share));
      if (rest.length > share) sending.set(response, rest.subarray(share));
      else finish(response);
    }
  };
  const finish = (response: ServerResponse): void => {
    if (!sending.delete(response)) return;
    response.end();
    if (sending.size === 0) clearInterval(timer);
  };
  return {
    send(response, bytes) {
      if (sending.size === 0) {
        sentMs = performance.now();
        timer = setInterval(tick, TICK_MS);
      }
      sending.set(response, bytes);
      response.on("close", () => finish(response));
    },
  };
}
