const QUIET_MS = 30_000;

/**
 * Suppresses errors reported within 30 s: while a database is unreachable, each of pg-boss's loops repeats its error
 * every second.
 */
export function suppressRepeatedErrors(onError: (error: Error) => void): (error: Error) => void {
  const reportedMs = new Map<string, number>();
  return (error) => {
    const nowMs = performance.now();
    for (const [message, ms] of reportedMs) if (nowMs - ms >= QUIET_MS) reportedMs.delete(message);
    if (reportedMs.has(error.message)) return;
    reportedMs.set(error.message, nowMs);
    onError(error);
  };
}
