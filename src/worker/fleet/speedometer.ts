/** How fast a worker makes videos: seconds of output per second of work. */

/** How far back it looks. */
const WINDOW_MS = 180_000;
/** Less work than this says little. */
const LEAST_SECONDS = 1;

export type Speedometer = {
  /** One more video is at work, or one less. */
  begin(): void;
  end(): void;
  /** So many seconds of output were made. */
  made(mediaSeconds: number): void;
  /** Over the last minutes; null when nothing was at work in them. To be read every few seconds. */
  read(): number | null;
};

/** The clock is one that never jumps. */
export function createSpeedometer(nowMs: () => number = () => performance.now()): Speedometer {
  let atWork = 0;
  let countedToMs = nowMs();
  let open = { workSeconds: 0, mediaSeconds: 0 };
  /** What was made between one reading and the next. */
  let closed: (typeof open & { endMs: number })[] = [];

  const countWork = (): void => {
    const now = nowMs();
    if (atWork > 0) open.workSeconds += (now - countedToMs) / 1000;
    countedToMs = now;
  };
  return {
    begin() {
      countWork();
      atWork += 1;
    },
    end() {
      countWork();
      atWork -= 1;
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
