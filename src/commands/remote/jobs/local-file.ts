import { open, stat } from "node:fs/promises";
import path from "node:path";
import { InvalidArgumentError } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { uploadLimit, uploadTooLarge, type UploadUse } from "#contract/library.ts";
import { decodeTable } from "#contract/table/decode-table.ts";
import {
  encodingNamed,
  explainEncoding,
  TABLE_ENCODINGS,
  type TableEncoding,
} from "#contract/table/encoding/table-encodings.ts";
import { isMissing } from "#ground/error-code.ts";

export type LocalFile = { path: string; use: UploadUse; sizeBytes: number };

const ENDINGS: Record<UploadUse, RegExp> = {
  video: /\.(?:mp4|m4v|mov|mkv|webm|avi|mpe?g|mts|m2ts|ts|3gp|wmv|flv)$/i,
  music: /\.(?:mp3|m4a|aac|wav|flac|ogg|opus|aiff?|wma|mp4|mov)$/i,
  image: /\.(?:png|webp)$/i,
  subtitles: /\.(?:srt|vtt|ass|ssa|json)$/i,
};

export function isMediaFile(name: string, use: UploadUse): boolean {
  return ENDINGS[use].test(name);
}

/** `problem` is a predicate, such as "does not exist". */
export async function lookAtFile(file: string, use: UploadUse): Promise<LocalFile | { problem: string }> {
  try {
    const { size: sizeBytes, isFile } = await stat(file).then((found) => ({
      size: found.size,
      isFile: found.isFile(),
    }));
    if (!isFile) return { problem: "is not a file" };
    if (sizeBytes === 0) return { problem: "is empty" };
    if (sizeBytes > uploadLimit(use)) return { problem: `cannot be uploaded: ${lowerFirst(uploadTooLarge(use))}` };
    await (await open(file, "r")).close();
    return { path: path.resolve(file), use, sizeBytes };
  } catch (error) {
    return { problem: isMissing(error) ? "does not exist" : "cannot be opened" };
  }
}

function lowerFirst(sentence: string): string {
  return (sentence[0]?.toLowerCase() ?? "") + sentence.slice(1).replace(/\.$/, "");
}

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
