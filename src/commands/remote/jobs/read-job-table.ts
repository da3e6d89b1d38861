import { readFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { stringify } from "csv-stringify/sync";
import { ClipmillError } from "#contract/errors.ts";
import type { UploadUse } from "#contract/library.ts";
import { hasLink, linksIn } from "#contract/sources/links-in-text.ts";
import { protectCell } from "#contract/table/cell-protection.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import { mapColumns, readTable } from "#contract/table/read-table.ts";
import { type Table, TABLE_LIMITS, type TableField, type TableProblem } from "#contract/table/table.ts";
import { codeOf } from "#ground/error-code.ts";
import { decodeText, isMediaFile, type LocalFile, lookAtFile } from "./local-file.ts";

export type JobTable = {
  /** Problems of local files; the server checks the rest. */
  problems: TableProblem[];
  files: LocalFile[];
  toCsv(replace: (file: LocalFile) => string): string;
};

/** A UTF-16 unit takes at most 4 bytes. */
const MAX_BYTES = TABLE_LIMITS.characters * 4;

/** Reads a file, or standard input for "-". Local files are relative to it. Throws ClipmillError "invalid". */
export async function readJobTable(
  from: string,
  encoding: TableEncoding | null,
  stdin: AsyncIterable<Uint8Array>,
): Promise<JobTable> {
  const bytes =
    from === "-"
      ? await buffer(stdin)
      : await readFile(from).catch((cause: unknown) => {
          const reason = { ENOENT: "does not exist", EISDIR: "is a folder", EACCES: "cannot be opened" }[
            codeOf(cause) ?? ""
          ];
          throw new ClipmillError(
            "invalid",
            `${from} ${reason ?? "cannot be read"}. Specify a CSV file, or - for standard input.`,
            { cause },
          );
        });
  if (bytes.length > MAX_BYTES) throw new ClipmillError("invalid", "The table is larger than 8 MB. Split it.");
  const text = decodeText(bytes, { from, encoding });
  return await withFiles(readTable(text), from === "-" ? "." : path.dirname(from), text);
}

export async function tableOfLinks(links: readonly string[]): Promise<JobTable> {
  return await withFiles(
    { columns: ["link"], records: links.flatMap(linksIn).map((link) => [link]), problems: [] },
    ".",
    null,
  );
}

const USE_OF: Partial<Record<TableField, UploadUse>> = {
  link: "video",
  track: "music",
  custom_audio_links: "music",
  watermark: "image",
  watermark_image: "image",
  intro_link: "video",
  outro_link: "video",
  subtitles: "subtitles",
};

/** `text`, if given, is sent unchanged unless it names local files. */
async function withFiles(table: Table, folder: string, text: string | null): Promise<JobTable> {
  const uses = mapColumns(table.columns).map((field) => USE_OF[field]);
  const files = new Map<string, LocalFile>();
  const at = new Map<string, LocalFile>();
  const problems: TableProblem[] = [];
  for (const [index, record] of table.records.entries()) {
    for (const [place, use] of uses.entries()) {
      const cell = record[place]?.trim() ?? "";
      if (use === undefined || cell === "" || isAddress(cell)) continue;
      const file = path.resolve(folder, cell);
      const key = `${use} ${file}`;
      const known = files.get(key) ?? (await lookAtFile(file, use));
      if ("problem" in known) {
        if (!looksLikeFile(cell, use)) continue;
        problems.push({ row: index + 1, column: table.columns[place]!, message: `${cell} ${known.problem}.` });
        continue;
      }
      // A word in a text column may be a file's name by chance.
      if (use === "image" && !isMediaFile(cell, use)) continue;
      files.set(key, known);
      at.set(`${index} ${place}`, known);
    }
  }
  return {
    problems,
    files: [...files.values()],
    toCsv(replace) {
      if (at.size === 0 && text !== null) return text;
      const cells = table.records.map((record, index) =>
        record.map((cell, place) => {
          const file = at.get(`${index} ${place}`);
          return protectCell(file ? replace(file) : cell);
        }),
      );
      return stringify([table.columns.map(protectCell), ...cells], { quoted: true });
    },
  };
}

function isAddress(cell: string): boolean {
  return hasLink(cell) || cell.includes("\n");
}

function looksLikeFile(cell: string, use: UploadUse): boolean {
  return isMediaFile(cell, use) || (use !== "image" && /[/\\]/.test(cell));
}
