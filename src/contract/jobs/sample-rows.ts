import { JOB_LIMITS } from "./job-limits.ts";

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
