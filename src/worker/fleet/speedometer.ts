/** Measures throughput in seconds of output per second of work. */

const WINDOW_MS = 180_000;
const LEAST_SECONDS = 1;

export type Speedometer = {
  begin(): void;
  end(): void;
  made(mediaSeconds: number): void;
  /** Returns the last three minutes' throughput; null after less than a second of work. Call every few seconds. */
  read(): number | null;
};

/** `nowMs` must be monotonic. */
export function createSpeedometer(nowMs: () => number = () => performance.now()): Speedometer {
  let running = 0;
  let countedToMs = nowMs();
  let open = { workSeconds: 0, mediaSeconds: 0 };
  /** Totals between two readings. */
  let closed: (typeof open & { endMs: number })[] = [];

  const countWork = (): void => {
    const now = nowMs();
    if (running > 0) open.workSeconds += (now - countedToMs) / 1000;
    countedToMs = now;
  };
  return {
    begin() {
      countWork();
      running += 1;
    },
    end() {
      countWork();
      running -= 1;
    },
    made: (mediaSeconds) => void (open.mediaSeconds += mediaSeconds),
    read() {
      countWork();
      closed = [...closed, { ...open, endMs: countedToMs }].filter(({ endMs }) => endMs > countedToMs - WINDOW_MS);
      open = { workSeconds: 0, mediaSeconds: 0 };
      const workSeconds = sum(closed.map((part) => part.workSeconds));
      return workSeconds < LEAST_SECONDS ? null : sum(closed.map((part) => part.mediaSeconds)) / workSeconds;
    },
  };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
