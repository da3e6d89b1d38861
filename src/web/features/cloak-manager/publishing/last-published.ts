const MINUTE_MS = 60_000;

/** Uses SPEC's wording. Returns "Just now" if the clock is behind the server's. */
export function describeLastPublished(iso: string | null, nowMs: number): string {
  if (iso === null) return "Never";
  const minutes = Math.floor((nowMs - Date.parse(iso)) / MINUTE_MS);
  if (minutes < 1) return "Just now";
  if (minutes < 60) return `${minutes}m ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ago` : `${Math.floor(hours / 24)}d ago`;
}
