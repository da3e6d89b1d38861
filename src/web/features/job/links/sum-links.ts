import { LINK_DAYS, type OutputLink } from "#contract/links/job-links.ts";

export type LinkSums = {
  clicks: number;
  /** Last 30 days. */
  recent: number;
  today: number;
  days: number[];
};

export function sumLinks(links: readonly OutputLink[]): LinkSums {
  const days = Array.from({ length: LINK_DAYS }, (_, day) => sum(links.map((link) => link.days[day] ?? 0)));
  return { clicks: sum(links.map(({ clicks }) => clicks)), recent: sum(days), today: days.at(-1) ?? 0, days };
}

export function sumVariants(links: readonly OutputLink[]): (LinkSums & { variant: number })[] {
  return [...Map.groupBy(links, ({ variant }) => variant)]
    .toSorted(([a], [b]) => a - b)
    .map(([variant, ofVariant]) => Object.assign(sumLinks(ofVariant), { variant }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
