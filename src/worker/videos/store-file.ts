import { ClipmillError } from "#contract/errors.ts";
import type { RenderedOutput } from "#media/render/render.ts";
import type { StoredOutput } from "#operations/jobs/videos/complete-output.ts";
import type { VideoRecords } from "#operations/jobs/videos/video-records.ts";
import { coverKeyOf, foldersOf, outputKeyOf } from "#operations/jobs/job-folders.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import type { WorkerFigures } from "../fleet/worker-figures.ts";
import type { Attempt } from "./attempt.ts";

/** Stores the file unless the job already has an identical one, and records it for all its outputs. */
export async function storeFile(
  { figures }: { figures?: WorkerFigures },
  attemptAt: Attempt,
  file: RenderedOutput,
  name: string,
): Promise<void> {
  const { job, video, attempt, records, signal } = attemptAt;
  signal.throwIfAborted();
  const { keys, contentKey, warnings } = file;
  const ownKey = outputKeyOf(job, name, attempt);
  const known = await retryUntilWritten(signal, () => records.findStored(contentKey));
  const stored = known ?? (await putFile(attemptAt, file, ownKey));
  const { subtitles } = file;
  if (subtitles !== null) await retryUntilWritten(signal, () => records.recordSubtitles(contentKey, subtitles));
  const used = new Set<string | null>();
  for (const id of keys) {
    const record = () => records.complete({ id, warnings: warnings.get(id) ?? [], contentKey, ...stored });
    const storageKey = await retryUntilWritten(signal, record);
    const bytes = storageKey === ownKey && !used.has(ownKey) ? stored.sizeBytes : 0;
    if (storageKey !== null) figures?.outputStored({ mediaSeconds: stored.durationSeconds, bytes });
    used.add(storageKey);
  }
  // An identical file or a later attempt came first.
  if (!known && !used.has(ownKey)) await removeOutput(records, ownKey);
  if (used.has(null)) throw attemptSuperseded();
  // Left by attempts killed between storing and recording. Files of attempts for samples may be kept.
  for (let before = video.earlier_attempts + 1; before < attempt; before += 1)
    await removeOutput(records, outputKeyOf(job, name, before));
}

async function removeOutput(records: VideoRecords, storageKey: string): Promise<void> {
  for (const key of [storageKey, coverKeyOf(storageKey)]) await records.removeFile(key);
}

/** Records an existing file of at most `maxBytes` with its original warnings. Returns false if there is none. */
export async function takeStoredFile(
  { records, signal }: Attempt,
  contentKey: string,
  { ids, maxBytes }: { ids: readonly string[]; maxBytes: number },
): Promise<boolean> {
  const found = await retryUntilWritten(signal, () => records.findKept(contentKey));
  if (!found || found.sizeBytes > maxBytes) return false;
  const { warnings, ...stored } = found;
  for (const id of ids) {
    const record = () => records.complete({ id, contentKey, warnings, ...stored });
    if ((await retryUntilWritten(signal, record)) === null) throw attemptSuperseded();
  }
  return true;
}

async function putFile(
  { job, records, signal, contact, storedThumbnails }: Attempt,
  { path, measured, thumbnailPath, thumbnailKey: shown, coverPath, ...facts }: RenderedOutput,
  storageKey: string,
): Promise<StoredOutput> {
  const thumbnailKey = `${foldersOf(job).thumbnails}/${shown}.jpg`;
  const { durationSeconds, width, height, conformance } = facts;
  const { file, cover } = await contact("storage", async (onResponse) => {
    if (!storedThumbnails.has(thumbnailKey)) await records.storeFile(thumbnailKey, thumbnailPath, { signal });
    storedThumbnails.add(thumbnailKey);
    const cover = coverPath && (await records.storeFile(coverKeyOf(storageKey), coverPath, { signal }));
    const file = await records.storeFile(storageKey, path, { signal, measured });
    onResponse();
    return { file, cover: cover ? { sizeBytes: cover.sizeBytes, crc32: cover.crc32 } : null };
  });
  return { storageKey, thumbnailKey, cover, durationSeconds, width, height, ...file, conformance };
}

/** For an attempt whose writes no longer count: a later attempt owns the video, or it has ended. */
export function attemptSuperseded(): ClipmillError {
  return new ClipmillError("cancelled", "Another worker has taken over this video.");
}
