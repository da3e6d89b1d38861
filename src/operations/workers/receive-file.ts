import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { ClipmillError } from "#contract/errors.ts";
import { createMeter, type Measured } from "#ground/checksum.ts";
import { explainFullDisk } from "#ground/disk-space.ts";
import { admitUpload, countDown } from "../library/admit-upload.ts";
import type { UploadIntake } from "../library/upload-intake.ts";

type Expected = { sizeBytes: number; sha256: string };

/**
 * Writes a worker's file to the server's disk, checks size and SHA-256, and passes it to `keep`, which may move it. The
 * caller must have checked the worker's claim. Throws ClipmillError "incomplete" for other content, "too_many",
 * "no_space", and an error of `body`; leaves nothing behind.
 */
export async function receiveFile(
  { folder, underWay }: Pick<UploadIntake, "folder" | "underWay">,
  body: AsyncIterable<Uint8Array>,
  expected: Expected,
  keep: (file: string, measured: Measured) => Promise<void>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  using admitted = await admitUpload(underWay, folder, expected.sizeBytes, "worker");
  const part = path.join(folder, randomUUID());
  const meter = createMeter();
  let received = 0;
  const measured = async function* () {
    for await (const piece of countDown(body, admitted)) {
      received += piece.length;
      if (received > expected.sizeBytes) throw incomplete();
      meter.add(piece);
      yield piece;
    }
  };
  try {
    await pipeline(measured, createWriteStream(part, { flags: "wx", mode: 0o600 }));
    const found = meter.read();
    if (found.sizeBytes !== expected.sizeBytes || found.sha256 !== expected.sha256) throw incomplete();
    await keep(part, found);
  } catch (error) {
    throw explainFullDisk(error, "The disk for finished files is full. Free some space, then retry.");
  } finally {
    await rm(part, { force: true });
  }
}

function incomplete(): ClipmillError {
  return new ClipmillError("incomplete", "The worker's file arrived incomplete. Retry later.");
}
