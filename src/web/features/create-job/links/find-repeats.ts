import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { rowKey } from "../videos/row-key.ts";
import type { CheckedLinks } from "./check-links.ts";

/** `index` counts entries from 0, lines count from 1. */
export type Repeat = { index: number; line: number; firstLine: number };

/**
 * Returns later entries whose link, in any spelling, and row equal an earlier one's. `rows`: one per valid link, or
 * empty.
 */
export function findRepeats(entries: CheckedLinks["entries"], rows: readonly JobRow[]): Repeat[] {
  const firstLines = new Map<string, number>();
  let video = 0;
  return entries.flatMap(({ key: linkKey, line }, index) => {
    if (linkKey === null) return [];
    const key = `${linkKey} ${rowKey(rows[video++] ?? {})}`;
    const firstLine = firstLines.get(key);
    if (firstLine !== undefined) return [{ index, line, firstLine }];
    firstLines.set(key, line);
    return [];
  });
}
