import type { ByteRange } from "#storage/storage.ts";

/**
 * Returns null for the entire file (no header, several ranges or an unsupported one), "outside" if the range has no
 * byte of it.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null | "outside" {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes - 1 } : "outside";
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start < sizeBytes ? { start, end } : "outside";
}
