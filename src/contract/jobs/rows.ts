import type { JobRow } from "../job-settings/job-settings.ts";
import { JOB_LIMITS } from "./job-limits.ts";

/** Returns a row per link, in order; repeated links take their rows in turn. Returns none if all have only a link. */
export function rowsOfLinks(links: readonly string[], rows: readonly JobRow[]): JobRow[] {
  if (!rows.some(hasMore)) return [];
  const waiting = new Map<string, JobRow[]>();
  for (const row of rows) {
    const alike = waiting.get(row.link);
    if (alike) alike.push(row);
    else waiting.set(row.link, [row]);
  }
  for (const alike of waiting.values()) alike.reverse();
  const found = links.map((link) => waiting.get(link)?.pop() ?? { link });
  return found.some(hasMore) ? found : [];
}

function hasMore({ link: _link, ...more }: JobRow): boolean {
  return Object.values(more).some((value) => value !== undefined);
}

/** The links of the rows or of the slots' clips, if any, become the request's videos. */
export function withLinksOfRows(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { rows, slots } = body as Record<string, unknown>;
  if (Array.isArray(slots) && slots.length > 0)
    return { ...body, input_videos: [...new Set(slots.flatMap(linksOfSlot))] };
  if (!Array.isArray(rows) || rows.length === 0) return body;
  return { ...body, input_videos: rows.map(linkOf) };
}

/** Leaves out the slots or rows of earlier settings if the later ones bring other videos. */
export function withoutReplaced<Earlier extends object>(earlier: Earlier, later: object): Earlier {
  const bringsVideos = "input_videos" in later || "rows" in later;
  const replaced = "slots" in later ? ["rows", "exclude"] : bringsVideos ? ["slots", "combine", "exclude"] : [];
  return Object.fromEntries(Object.entries(earlier).filter(([name]) => !replaced.includes(name))) as Earlier;
}

function linksOfSlot(slot: unknown): string[] {
  const clips = typeof slot === "object" && slot !== null ? (slot as Record<string, unknown>).clips : null;
  return Array.isArray(clips) ? clips.map(linkOf) : [];
}

function linkOf(row: unknown): string {
  const link = typeof row === "object" && row !== null ? (row as Record<string, unknown>).link : null;
  return typeof link === "string" ? link : "";
}

/** Returns the UTF-8 size of the rows as JSON; stops counting above `limit`, as rows that name a set copy it. */
export function bytesOfRows(rows: readonly object[], limit = Infinity): number {
  const encoder = new TextEncoder();
  let bytes = "[]".length;
  for (const [index, row] of rows.entries()) {
    bytes += encoder.encode(JSON.stringify(row)).length + (index > 0 ? ",".length : 0);
    if (bytes > limit) break;
  }
  return bytes;
}

const PART = /^(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?$/;

/**
 * Parses distinct numbers from 1 and ranges, such as `1, 4, 9-12`, in the given order. Returns null for anything else
 * or over 10,000 numbers.
 */
export function parseSampleRows(text: string): number[] | null {
  const rows = new Set<number>();
  for (const part of text.split(",").map((piece) => piece.trim())) {
    if (part === "") continue;
    const [, first, last = first] = PART.exec(part) ?? [];
    const from = Number(first);
    const to = Number(last);
    if (first === undefined || from < 1 || to < from || to - from >= JOB_LIMITS.outputs) return null;
    for (let row = from; row <= to; row += 1) rows.add(row);
    if (rows.size > JOB_LIMITS.outputs) return null;
  }
  return [...rows];
}
