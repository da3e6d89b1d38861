/** Receives uploads into Clipmill's own library. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import type { LibraryFile, UploadResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { type UploadUse, uploadLimit, uploadTooLarge } from "#contract/library.ts";
import { isDiskFull } from "#ground/disk-space.ts";
import { hasCode } from "#ground/error-code.ts";
import { cleanFileName } from "#contract/clean-name.ts";
import type { ActorContext } from "../audit/actor.ts";
import { writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { admitUpload, type UploadInProgress } from "./admit-upload.ts";
import { keepThumbnail } from "./draw-thumbnail.ts";
import { type InspectedUpload, inspectUpload } from "./inspect-upload.ts";
import { selectLibraryFiles, toLibraryFile } from "./to-library-file.ts";
import type { UploadIntake } from "./upload-intake.ts";

type LibraryContext = Pick<Context, "db" | "storage" | "links"> & ActorContext;

export type Upload = {
  /** The sender's file name. */
  name: string;
  use: UploadUse;
  /** Null unless the sender announced the size. */
  announcedBytes: number | null;
  body: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
};

/**
 * Receives and probes a file, and returns it as a library file, or the existing one with the same content. Throws
 * ClipmillError "too_large" (before reading, if announced), "no_space", "too_many", "cancelled", "invalid", what
 * `inspectUpload` throws, or an error of `body`; leaves nothing behind then.
 */
export async function receiveUpload(
  context: LibraryContext,
  intake: UploadIntake,
  upload: Upload,
): Promise<UploadResponse> {
  if ((upload.announcedBytes ?? 0) > uploadLimit(upload.use)) throw tooLarge(upload.use);
  using admitted = await admitUpload(intake.underWay, intake.folder, upload.announcedBytes ?? 0);
  const part = path.join(intake.folder, randomUUID());
  try {
    const digest = await writePart(part, countDown(upload.body, admitted), upload.use);
    const inspected = await inspectUpload(intake, part, upload);
    upload.signal.throwIfAborted();
    const same = await findSame(context, digest);
    if (same) return { data: same, isDuplicate: true };
    return await store(context, part, { ...upload, ...inspected, digest, thumbnail: await inspected.drawThumbnail() });
  } catch (error) {
    throw explain(error, upload.signal);
  } finally {
    await rm(part, { force: true });
  }
}

/** Passes chunks on, and subtracts them from the remaining bytes. */
async function* countDown(body: AsyncIterable<Uint8Array>, upload: UploadInProgress): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    upload.leftBytes -= piece.length;
    yield piece;
  }
}

/** Writes the body to `part` and returns its digest. */
async function writePart(part: string, body: AsyncIterable<Uint8Array>, use: UploadUse): Promise<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = async function* () {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > uploadLimit(use)) throw tooLarge(use);
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(measured, createWriteStream(part, { flags: "wx", mode: 0o600 }));
  if (bytes === 0) throw new ClipmillError("invalid", "This file is empty.");
  return hash.digest("hex");
}

async function findSame({ db, links }: Pick<Context, "db" | "links">, digest: string): Promise<LibraryFile | null> {
  const row = await selectLibraryFiles(db).where("digest", "=", digest).limit(1).executeTakeFirst();
  return row ? toLibraryFile(row, links) : null;
}

/** Inserts the row first, as not stored yet, so that the next start finds a crash's leftovers. */
async function store(
  context: LibraryContext,
  part: string,
  upload: Pick<Upload, "name" | "signal"> &
    Pick<InspectedUpload, "kind" | "durationSeconds"> & { digest: string; thumbnail: Uint8Array | null },
): Promise<UploadResponse> {
  const { db, storage } = context;
  const { name, signal, kind, durationSeconds, digest, thumbnail } = upload;
  const id = randomBytes(16).toString("base64url");
  const storageKey = `library/${id}`;
  const file = {
    id,
    name: cleanFileName(name, "upload"),
    kind,
    storage_key: storageKey,
    size_bytes: 0,
    duration_seconds: durationSeconds,
    is_sample: false,
    digest,
    stored_at: null,
  };
  await db.insertInto("library_files").values(file).execute();
  try {
    if (kind !== "audio") await keepThumbnail(context, id, thumbnail);
    const { sizeBytes } = await storage.put(storageKey, part, { signal });
    const data = await finish(context, { id, digest, sizeBytes });
    const isDuplicate = data.id !== id;
    if (isDuplicate) await forget(context, id, storageKey);
    return { data, isDuplicate };
  } catch (error) {
    await forget(context, id, storageKey);
    throw error;
  }
}

/** Marks the file as stored, or returns another upload of the same content that was first. */
async function finish(
  context: Pick<Context, "db" | "links"> & ActorContext,
  { id, digest, sizeBytes }: { id: string; digest: string; sizeBytes: number },
): Promise<LibraryFile> {
  return await context.db.transaction().execute(async (trx) => {
    // One at a time, across servers.
    await sql`select pg_advisory_xact_lock(hashtextextended(${digest}, 0))`.execute(trx);
    const same = await findSame({ ...context, db: trx }, digest);
    if (same) return same;
    await trx
      .updateTable("library_files")
      .set({ size_bytes: sizeBytes, stored_at: new Date().toISOString() })
      .where("id", "=", id)
      .execute();
    await writeAudit(trx, context.actor, { action: "library.upload", subjects: [id] });
    const row = await selectLibraryFiles(trx).where("library_files.id", "=", id).executeTakeFirstOrThrow();
    return toLibraryFile(row, context.links);
  });
}

async function forget({ db, storage }: Pick<Context, "db" | "storage">, id: string, storageKey: string): Promise<void> {
  await storage.removeAll(storageKey);
  await db.deleteFrom("library_files").where("id", "=", id).execute();
}

function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new ClipmillError("cancelled", "The upload was interrupted. Try again.", { cause: error });
  if (isDiskFull(error) || hasCode(error, "no_space")) {
    return new ClipmillError("no_space", "The disk is full. Free some space, then upload the file again.", {
      cause: error,
    });
  }
  return error;
}

function tooLarge(use: UploadUse): ClipmillError {
  return new ClipmillError("too_large", uploadTooLarge(use));
}
