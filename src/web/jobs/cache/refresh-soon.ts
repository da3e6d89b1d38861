/** Batches refresh requests: one read, `waitMs` after the first, serves all. */
export type Refresher = { request: () => void; stop: () => void };

export function createRefresher(refresh: () => void, waitMs: number): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    request() {
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh();
      }, waitMs);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
