import { LINK_DAYS, type JobLinks } from "#contract/links/job-links.ts";
import { protectCell } from "#contract/table/cell-protection.ts";

const DAY_MS = 86_400_000;

/** UTC days, such as "2026-03-01". */
function daysOf({ first_day: first }: Pick<JobLinks, "first_day">): string[] {
  const startMs = Date.parse(first);
  return Array.from({ length: LINK_DAYS }, (_, i) => new Date(startMs + i * DAY_MS).toISOString().slice(0, 10));
}

export function linksCsv(data: JobLinks): string {
  const header = ["output", "row", "variant", "segment", "link", "target", "clicks", ...daysOf(data)];
  const lines = data.links.map((link) => [
    link.name,
    link.position + 1,
    link.variant + 1,
    link.segment + 1,
    link.url,
    link.target,
    link.clicks,
    ...link.days,
  ]);
  return `\uFEFF${[header, ...lines].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("")}`;
}

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const cell = protectCell(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
