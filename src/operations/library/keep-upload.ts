import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { z } from "zod";
import type { LibraryFile, LibraryKind, UploadResponse } from "#contract/calls.ts";
import { cleanFileName } from "#contract/clean-name.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { UploadUse } from "#contract/library.ts";
import { isDiskFull } from "#ground/disk-space.ts";
import { hasCode } from "#ground/error-code.ts";
import { requireAudio, requireVideo } from "#media/render/required-streams.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { runPure } from "../thread/run-pure.ts";
import { keepThumbnail } from "./draw-thumbnail.ts";
import { selectLibraryFiles, toLibraryFile } from "./to-library-file.ts";
import type { UploadIntake } from "./upload-intake.ts";

export type LibraryContext = Pick<Context, "db" | "storage" | "links"> & ActorContext;

type ReceivedFile = {
  /** This file may be moved. */
  part: string;
  /** SHA-256 in hex. */
  digest: string;
  name: string;
  use: UploadUse;
  signal: AbortSignal;
};

/**
 * Returns an existing file with the same content, if any. Throws like inspectUpload, or the storage's error; then only
 * the part is left.
 */
export async function keepUpload(
  context: LibraryContext,
  intake: UploadIntake,
  received: ReceivedFile,
): Promise<UploadResponse> {
  const { part, digest, signal } = received;
  const inspected = await inspectUpload(intake, part, received);
  signal.throwIfAborted();
  const same = await findSame(context, digest);
  if (same) return { data: same, isDuplicate: true };
  return await store(context, { ...received, ...inspected, thumbnail: await inspected.drawThumbnail() });
}

async function findSame({ db, links }: Pick<Context, "db" | "links">, digest: string): Promise<LibraryFile | null> {
  const row = await selectLibraryFiles(db).where("digest", "=", digest).limit(1).executeTakeFirst();
  return row ? toLibraryFile(row, links) : null;
}

/** The row comes first, so that the next start finds a crash's leftovers. */
async function store(
  context: LibraryContext,
  upload: ReceivedFile & Pick<InspectedUpload, "kind" | "durationSeconds"> & { thumbnail: Uint8Array | null },
): Promise<UploadResponse> {
  const { db, storage } = context;
  const { part, name, signal, kind, durationSeconds, digest, thumbnail } = upload;
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
    if (kind === "video" || kind === "image") await keepThumbnail(context, id, thumbnail);
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

/** Returns an earlier upload of the same content, if any. */
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

/** `signal` may have caused the error, and a full disk has many names. */
export function explainUploadError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new ClipmillError("cancelled", "The upload was interrupted. Try again.", { cause: error });
  if (isDiskFull(error) || hasCode(error, "no_space")) {
    return new ClipmillError("no_space", "The disk is full. Free some space, then upload the file again.", {
      cause: error,
    });
  }
  return error;
}

const MAX_CHARACTERS = 1_000;

/** As sent; the library cleans it. */
export const uploadNameSchema = z
  .string()
  .max(MAX_CHARACTERS, "The file name is too long. Rename the file: names can have at most 1,000 characters.");

type InspectedUpload = {
  kind: LibraryKind;
  /** 0 for images and subtitles. */
  durationSeconds: number;
  /** Null for music and subtitles, or if it failed. */
  drawThumbnail(): Promise<Uint8Array | null>;
};

/**
 * Throws ClipmillError "not_a_video", "not_audio", "not_an_image", "bad_subtitles", "too_large", "damaged" or the
 * probe's.
 */
async function inspectUpload(
  intake: Pick<UploadIntake, "probe" | "drawThumbnail" | "drawImageThumbnail">,
  path: string,
  { use, signal }: { use: UploadUse; signal: AbortSignal },
): Promise<InspectedUpload> {
  if (use === "image") {
    // also shows that it can be decoded
    const thumbnail = await intake.drawImageThumbnail(path, signal);
    return { kind: "image", durationSeconds: 0, drawThumbnail: () => Promise.resolve(thumbnail) };
  }
  if (use === "subtitles") {
    const problem = await runPure("findSubtitleProblem", await readFile(path, "latin1"));
    if (problem !== null) throw new ClipmillError("bad_subtitles", `This file ${problem}.`);
    return { kind: "subtitles", durationSeconds: 0, drawThumbnail: () => Promise.resolve(null) };
  }
  const found = await intake.probe(path, { use, signal });
  if (use === "video") requireVideo(found);
  else requireAudio(found);
  return {
    kind: found.video ? "video" : "audio",
    durationSeconds: found.durationSeconds,
    drawThumbnail: async () => (found.video ? await intake.drawThumbnail(path, signal) : null),
  };
}
