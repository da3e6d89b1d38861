const grouped = new Intl.NumberFormat("en-US");

export function formatCount(count: number): string {
  return grouped.format(count);
}

/** Returns, for example, "1 video" or "12 videos". */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
