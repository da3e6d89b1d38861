/** Batches refresh requests: the first one waits `waitMs`, and the same read serves those that arrive meanwhile. */
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
