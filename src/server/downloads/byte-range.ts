import type { ByteRange } from "#storage/storage.ts";

/**
 * The part of a file that a Range header asks for: null for all of it (no header, several parts, or none we read),
 * "outside" when no byte of the file lies in it.
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
