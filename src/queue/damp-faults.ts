const QUIET_MS = 30_000;

/**
 * Passes a fault on unless the same words were said within half a minute: while a database is away, each of pg-boss's loops
 * has the same to say every second.
 */
export function dampFaults(tell: (fault: Error) => void): (fault: Error) => void {
  const toldMs = new Map<string, number>();
  return (fault) => {
    const nowMs = performance.now();
    for (const [words, ms] of toldMs) if (nowMs - ms >= QUIET_MS) toldMs.delete(words);
    if (toldMs.has(fault.message)) return;
    toldMs.set(fault.message, nowMs);
    tell(fault);
  };
}
