import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { formatClipLength, formatFileSize } from "../../../ui/text/length-and-size.ts";
import type { VideoRow } from "./read-rows.ts";

/** Returns the known facts: "0:24 · 12.4 MB · Portrait, 1080 × 1920 · No sound". */
export function describeFacts(row: VideoRow): string {
  const parts = [
    row.durationSeconds === null ? null : formatClipLength(row.durationSeconds),
    row.sizeBytes === null ? null : formatFileSize(row.sizeBytes),
    row.width === null || row.height === null ? null : describeShape(row.width, row.height),
    row.hasSound === null ? null : row.hasSound ? "Sound" : "No\u00a0sound",
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

function describeShape(width: number, height: number): string {
  const shape = width === height ? "Square" : width > height ? "Landscape" : "Portrait";
  // Allow line breaks only between facts.
  return `${shape},\u00a0${width}\u00a0×\u00a0${height}`;
}

/** Returns "71 ready · 9 with problems · 2 folders · 4 checking · 20 not checked", omitting zeros. */
export function describeStates(rows: readonly VideoRow[]): string {
  const counts = { unknown: 0, checking: 0, ready: 0, problem: 0, folder: 0 };
  for (const { state } of rows) counts[state] += 1;
  const parts = [
    counts.ready > 0 && `${formatCount(counts.ready)} ready`,
    counts.problem > 0 && describeProblems(counts.problem),
    counts.folder > 0 && pluralize(counts.folder, "folder"),
    counts.checking > 0 && `${formatCount(counts.checking)} checking`,
  ].filter((part) => part !== false);
  if (parts.length > 0 && counts.unknown > 0) parts.push(`${formatCount(counts.unknown)} not checked`);
  return parts.length > 0 ? parts.join(" · ") : pluralize(rows.length, "video");
}

export function describeProblems(count: number): string {
  return `${formatCount(count)} with ${count === 1 ? "a problem" : "problems"}`;
}

/** Returns "Sunset.mp4 moved to position 3 of 80." or "4 videos moved." */
export function describeMove(moved: readonly VideoRow[], rows: readonly VideoRow[]): string {
  const [first, ...others] = moved;
  if (!first || others.length > 0) return `${pluralize(moved.length, "video")} moved.`;
  const place = rows.findIndex(({ key }) => key === first.key) + 1;
  return `${first.name} moved to position ${formatCount(place)} of ${formatCount(rows.length)}.`;
}
