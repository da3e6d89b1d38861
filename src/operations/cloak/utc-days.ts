const DAY_MS = 24 * 60 * 60 * 1000;

/** In UTC, such as 2026-03-01. */
export function today(): string {
  return daysAgo(0);
}

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
