import { decodeTable } from "#contract/table/decode-table.ts";
import { undecodedFile, type UndecodedTable } from "./undecoded-table.ts";

const MOST_FILE_BYTES = 16 * 1024 ** 2;

/** A table's text, why the file has none, or the table whose encoding the operator must choose. */
export type ReadFile = { text: string } | { problem: string } | { undecoded: UndecodedTable };

/** Never rejects. */
export async function readTableFile(file: File): Promise<ReadFile> {
  const withProblem = (problem: string) => ({ problem: `${file.name}: ${problem}` });
  if (file.size > MOST_FILE_BYTES) return withProblem("This file is larger than 16 MB. Split it into smaller tables.");
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const decoded = decodeTable(bytes);
    if ("text" in decoded) return decoded;
    return decoded.isUnknown ? { undecoded: undecodedFile(file.name, bytes) } : withProblem(decoded.problem);
  } catch {
    return withProblem("This file couldn't be read. It may have been moved or changed; choose it again.");
  }
}
