import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, crc32, createGunzip, createGzip } from "node:zlib";
import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { createChecker, metering } from "#ground/checksum.ts";
import { isMissing } from "#ground/error-code.ts";
import { type BackupColumn, type BackupTable, conditionOf } from "./kept-tables.ts";

type LineFile = {
  /** Relative to the backup. */
  file: string;
  sizeBytes: number;
  crc32: number;
  rows: number;
  /** Of the uncompressed lines. */
  sha256: string;
};

/** Creates the file without syncing it to the disk. */
export async function writeLineFile(
  folder: string,
  file: string,
  batches: AsyncIterable<string[]>,
  signal?: AbortSignal,
): Promise<LineFile> {
  const digest = createLineDigest();
  const pieces = async function* () {
    for await (const lines of batches) {
      digest.add(lines);
      yield `${lines.join("\n")}\n`;
    }
  };
  const checker = createChecker();
  const measure = (pieces: AsyncIterable<Buffer>) => metering(pieces, checker);
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const target = createWriteStream(`${folder}/${file}`, { flags: "wx", mode: 0o600 });
  await pipeline(Readable.from(pieces()), gzip, measure, target, { signal });
  return { file, ...checker.read(), ...digest.end() };
}

/** Throws ClipmillError "damaged" for changed content, possibly only at the end. */
export async function* readLineFile(folder: string, expected: LineFile): AsyncGenerator<string[]> {
  const digest = createLineDigest();
  let sizeBytes = 0;
  let checksum = 0;
  const source = createReadStream(`${folder}/${expected.file}`);
  source.on("data", (piece) => {
    sizeBytes += piece.length;
    checksum = crc32(piece, checksum);
  });
  // Forwards read errors to the loop below.
  const plain = source.pipe(createGunzip());
  source.on("error", (error) => plain.destroy(error));
  let rest = "";
  try {
    for await (const piece of plain.setEncoding("utf8") as AsyncIterable<string>) {
      // A line may be megabytes: split only when complete.
      if (!piece.includes("\n")) {
        rest += piece;
        continue;
      }
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      digest.add(lines);
      yield lines;
    }
  } catch (cause) {
    throw damaged(expected.file, cause);
  } finally {
    source.destroy();
  }
  const { rows, sha256 } = digest.end();
  const isWhole = rest === "" && rows === expected.rows && sha256 === expected.sha256;
  if (!isWhole || sizeBytes !== expected.sizeBytes || checksum !== expected.crc32) throw damaged(expected.file);
}

export function damaged(file: string, cause?: unknown): ClipmillError {
  const problem = isMissing(cause) ? `is missing` : `does not match its checksum`;
  return new ClipmillError("damaged", `The backup is damaged: ${file} ${problem}. Nothing was restored.`, {
    facts: { file },
    cause,
  });
}

// Rows are JSON arrays of PostgreSQL's own texts, so that no value changes.

const BATCH_BYTES = 4 * 2 ** 20;
const FIRST_ROWS = 50;
const MAX_ROWS = 5_000;

/** Overrides the server's, database's and role's settings for this transaction. */
export async function pinTextFormats(trx: Transaction<Tables>): Promise<void> {
  const forms = {
    timezone: "UTC",
    datestyle: "ISO, YMD",
    intervalstyle: "postgres",
    bytea_output: "hex",
    // Shortest digits that parse to the same number.
    extra_float_digits: "1",
  };
  for (const [name, value] of Object.entries(forms)) await sql`select set_config(${name}, ${value}, true)`.execute(trx);
}

/** Yields batches of lines. */
export async function* readLines(trx: Transaction<Tables>, table: BackupTable): AsyncGenerator<string[]> {
  const texts = table.columns.map(({ name }) => sql`${sql.ref(name)}::text`);
  await sql`declare kept_rows no scroll cursor for
    select array_to_json(array[${sql.join(texts)}]::text[])::text as line from ${tableOf(table)}
    where ${conditionOf(table)} order by ${sql.join(table.order.map(orderBy))}`.execute(trx);
  let rowsPerFetch = FIRST_ROWS;
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsPerFetch)} from kept_rows`.execute(trx);
    if (rows.length === 0) break;
    const lines = rows.map((row) => row.line);
    yield lines;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    rowsPerFetch = Math.min(Math.max(Math.round((lines.length * BATCH_BYTES) / bytes), 1), MAX_ROWS, rowsPerFetch * 4);
  }
  await sql`close kept_rows`.execute(trx);
}

/** Other columns get defaults. */
export async function writeLines(
  trx: Transaction<Tables>,
  table: BackupTable,
  columns: BackupColumn[],
  lines: string[],
): Promise<void> {
  const values = columns.map(({ name, type }) => {
    const place = table.columns.findIndex((column) => column.name === name);
    return sql`(line ->> ${sql.lit(place)}::int)::${sql.raw(type)}`;
  });
  await sql`insert into ${tableOf(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
    overriding system value
    select ${sql.join(values)} from jsonb_array_elements(${`[${lines.join(",")}]`}::jsonb) as line`.execute(trx);
}

export function createLineDigest(): { add(lines: string[]): void; end(): { rows: number; sha256: string } } {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    add(lines) {
      rows += lines.length;
      if (lines.length > 0) hash.update(`${lines.join("\n")}\n`);
    },
    end: () => ({ rows, sha256: hash.digest("hex") }),
  };
}

export function tableOf({ schema, name }: Pick<BackupTable, "schema" | "name">) {
  return schema === null ? sql.table(name) : sql.id(schema, name);
}

/** Sorts texts by bytes: servers' locales differ. */
function orderBy({ name, type }: BackupColumn) {
  return /^(text|character|varchar)/.test(type) ? sql`${sql.ref(name)} collate "C"` : sql.ref(name);
}
