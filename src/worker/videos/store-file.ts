import { ClipmillError } from "#contract/errors.ts";
import type { RenderedOutput } from "#media/render/render.ts";
import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";
import { completeOutput, findStoredOutput, type StoredOutput } from "#operations/jobs/videos/complete-output.ts";
import { recordSubtitles } from "#operations/jobs/videos/output-subtitles.ts";
import { coverKeyOf, foldersOf, outputKeyOf } from "#operations/jobs/job-folders.ts";
import { findKeptFile } from "#operations/jobs/proof/kept-files.ts";
import type { Storage } from "#storage/storage.ts";
import type { Contact } from "../hosts/contact-host.ts";
import { retryUntilWritten } from "../fleet/retry-until-written.ts";
import type { WorkerContext } from "../worker-context.ts";

export type Attempt = ClaimedVideo & {
  attempt: number;
  folder: string;
  signal: AbortSignal;
  contact: Contact;
  storedThumbnails: Set<string>;
};

/** Stores the file unless the job already has an identical one, and records it for all its outputs. */
export async function storeFile(
  worker: WorkerContext,
  { job, video, attempt, signal, contact, storedThumbnails }: Attempt,
  file: RenderedOutput,
  name: string,
): Promise<void> {
  signal.throwIfAborted();
  const { storage } = worker.context;
  const { keys, contentKey, warnings } = file;
  const ownKey = outputKeyOf(job, name, attempt);
  const known = await retryUntilWritten(signal, () => findStoredOutput(worker.context, job.id, contentKey));
  const stored = known ?? (await putFile(worker, { job, signal, contact, storedThumbnails }, file, ownKey));
  const attemptRef = { jobId: job.id, videoId: video.id, attempt };
  const { subtitles } = file;
  if (subtitles !== null)
    await retryUntilWritten(signal, () => recordSubtitles(worker.context, job.id, contentKey, subtitles));
  const used = new Set<string | null>();
  for (const id of keys) {
    const record = () =>
      completeOutput(worker.context, attemptRef, { id, warnings: warnings.get(id) ?? [], contentKey, ...stored });
    const storageKey = await retryUntilWritten(signal, record);
    const bytes = storageKey === ownKey && !used.has(ownKey) ? stored.sizeBytes : 0;
    if (storageKey !== null) worker.figures?.outputStored({ mediaSeconds: stored.durationSeconds, bytes });
    used.add(storageKey);
  }
  // An identical file or a later attempt came first.
  if (!known && !used.has(ownKey)) await removeOutput(storage, ownKey);
  if (used.has(null)) throw attemptSuperseded();
  // Left by attempts killed between storing and recording. Files of attempts for samples may be kept.
  for (let before = video.earlier_attempts + 1; before < attempt; before += 1)
    await removeOutput(storage, outputKeyOf(job, name, before));
}

async function removeOutput(storage: Storage, storageKey: string): Promise<void> {
  for (const key of [storageKey, coverKeyOf(storageKey)]) await storage.removeAll(key);
}

/** Records an existing file of at most `maxBytes` with its original warnings. Returns false if there is none. */
export async function takeStoredFile(
  { context }: WorkerContext,
  { job, video, attempt, signal }: Attempt,
  contentKey: string,
  { ids, maxBytes }: { ids: readonly string[]; maxBytes: number },
): Promise<boolean> {
  const found = await retryUntilWritten(signal, () => findKeptFile(context, job.id, contentKey));
  if (!found || found.sizeBytes > maxBytes) return false;
  const { warnings, ...stored } = found;
  const attemptRef = { jobId: job.id, videoId: video.id, attempt };
  for (const id of ids) {
    const record = () => completeOutput(context, attemptRef, { id, contentKey, warnings, ...stored });
    if ((await retryUntilWritten(signal, record)) === null) throw attemptSuperseded();
  }
  return true;
}

async function putFile(
  { context }: WorkerContext,
  { job, signal, contact, storedThumbnails }: Pick<Attempt, "job" | "signal" | "contact" | "storedThumbnails">,
  { path, measured, thumbnailPath, thumbnailKey: shown, coverPath, ...facts }: RenderedOutput,
  storageKey: string,
): Promise<StoredOutput> {
  const thumbnailKey = `${foldersOf(job).thumbnails}/${shown}.jpg`;
  const { durationSeconds, width, height, conformance } = facts;
  const { file, cover } = await contact("storage", async (onResponse) => {
    if (!storedThumbnails.has(thumbnailKey)) await context.storage.put(thumbnailKey, thumbnailPath, { signal });
    storedThumbnails.add(thumbnailKey);
    const cover = coverPath && (await context.storage.put(coverKeyOf(storageKey), coverPath, { signal }));
    const file = await context.storage.put(storageKey, path, { signal, measured });
    onResponse();
    return { file, cover: cover ? { sizeBytes: cover.sizeBytes, crc32: cover.crc32 } : null };
  });
  return { storageKey, thumbnailKey, cover, durationSeconds, width, height, ...file, conformance };
}

/** For an attempt whose writes no longer count: a later attempt owns the video, or it has ended. */
export function attemptSuperseded(): ClipmillError {
  return new ClipmillError("cancelled", "Another worker has taken over this video.");
}
