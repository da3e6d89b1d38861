import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, crc32, createGunzip, createGzip } from "node:zlib";
import { ClipmillError } from "#contract/errors.ts";
import { createChecker, metering } from "#ground/checksum.ts";
import { isMissing } from "#ground/error-code.ts";
import { createLineDigest } from "./row-lines.ts";

export type LineFile = {
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
  const fault = isMissing(cause) ? `is missing` : `does not match its checksum`;
  return new ClipmillError("damaged", `The backup is damaged: ${file} ${fault}. Nothing was restored.`, {
    facts: { file },
    cause,
  });
}
