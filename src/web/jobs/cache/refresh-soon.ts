/** Bundles wishes for a fresh read: the first one waits `waitMs`, those that come meanwhile are served by the same read. */
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
