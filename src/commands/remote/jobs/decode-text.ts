import { InvalidArgumentError } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { decodeTable } from "#contract/table/decode-table.ts";
import {
  encodingNamed,
  explainEncoding,
  TABLE_ENCODINGS,
  type TableEncoding,
} from "#contract/table/encoding/table-encodings.ts";

export const ENCODING_OPTION = [
  "--encoding <encoding>",
  "the encoding of the file, such as windows-1251 (default: UTF-8, or UTF-16 with a mark)",
] as const;

/** Throws commander's InvalidArgumentError. */
export function readEncoding(name: string): TableEncoding {
  const encoding = encodingNamed(name);
  if (encoding) return encoding;
  throw new InvalidArgumentError(explainEncoding(name));
}

/** `from` is the file's name, or "-". Throws ClipmillError "invalid". */
export function decodeText(
  bytes: Uint8Array,
  { from, encoding }: { from: string; encoding: TableEncoding | null },
): string {
  const decoded = decodeTable(bytes, encoding);
  if ("text" in decoded) return decoded.text;
  const remedy =
    decoded.isUnknown && !encoding
      ? ` Add --encoding with one of: ${Object.keys(TABLE_ENCODINGS).slice(3).join(", ")}.`
      : "";
  throw new ClipmillError("invalid", `${from === "-" ? "Standard input" : from}: ${decoded.problem}${remedy}`);
}
