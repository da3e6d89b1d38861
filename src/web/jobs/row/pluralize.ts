const grouped = new Intl.NumberFormat("en-US");

/** Adds thousands separators. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** Returns "1 video" or "12 videos". */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
