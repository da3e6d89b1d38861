const thisYear = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const otherYear = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });
const fullDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "medium", hourCycle: "h23" });

/** Formats local time: "Nov 20, 21:12", or "Nov 20, 2025" if not in `now`'s year. */
export function formatShortDate(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  return (date.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(date);
}

/** Includes seconds, for tooltips. */
export function formatWholeDate(iso: string): string {
  return fullDate.format(new Date(iso));
}
