/** One refresh, `waitMs` after the first request, serves all. */
export type Refresher = { request: () => void; stop: () => void };

/**
 * Requests during a refresh lead to one more after it, as it may have read older data. `stop` drops a pending refresh;
 * later requests still work.
 */
export function createRefresher(refresh: () => Promise<void>, waitMs: number): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRefreshing = false;
  let isRequested = false;

  function schedule() {
    if (isRequested && !isRefreshing) timer ??= setTimeout(() => void run(), waitMs);
  }
  async function run() {
    timer = undefined;
    isRequested = false;
    isRefreshing = true;
    try {
      await refresh();
    } finally {
      isRefreshing = false;
      schedule();
    }
  }
  return {
    request() {
      isRequested = true;
      schedule();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      isRequested = false;
    },
  };
}
