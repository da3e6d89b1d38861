import { decodeTable, type DecodedTable } from "#contract/table/decode-table.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import { CallError } from "../../../../api/functions/call-error.ts";
import { loadSheet } from "../../../../api/functions/sources.ts";
import { randomId } from "../../start/random-id.ts";
import { encodingOfLanguage, guessEncoding } from "./guess-encoding.ts";

/** A table whose encoding the operator must choose. */
export type UndecodedTable = {
  id: string;
  /** The file's, if any. */
  name: string | null;
  /** Chosen at first, and used only once the operator confirms it. */
  guess: TableEncoding;
  /** Never rejects. */
  decode: (encoding: TableEncoding, signal: AbortSignal) => Promise<DecodedTable>;
};

export function undecodedFile(name: string, bytes: Uint8Array): UndecodedTable {
  return {
    id: randomId(),
    name,
    guess: guessEncoding(bytes, navigator.languages),
    decode: (encoding) => Promise.resolve(decodeTable(bytes, encoding)),
  };
}

/** Each choice loads the sheet again, because only the server can read other sites. */
export function undecodedSheet(url: string): UndecodedTable {
  return {
    id: randomId(),
    name: null,
    guess: encodingOfLanguage(navigator.languages) ?? "windows-1252",
    decode: (encoding, signal) =>
      loadSheet({ url, encoding }, signal).then(
        (text) => ({ text }),
        (error: unknown) => ({ problem: explainLoad(error) }),
      ),
  };
}

export function explainLoad(error: unknown): string {
  return error instanceof CallError ? error.message : "The sheet couldn't be loaded. Try again.";
}
