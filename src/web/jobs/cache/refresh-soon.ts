/** One refresh, `waitMs` after the first request, serves all. */
export type Refresher = { request: () => void; stop: () => void };

/** `stop` drops a pending refresh; later requests still work. */
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
