import { setTimeout as delay } from "node:timers/promises";
import { rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { destinationHost } from "#contract/sources/cooldowns.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { pauseAfter } from "#ground/repeat.ts";
import { currentSpan, inSpan } from "#ground/tracing/tracing.ts";
import type { DeliveryTarget, SentFile } from "#integrations/destinations/delivery-target.ts";
import type { ClaimedDelivery } from "#operations/deliveries/claim-delivery.ts";
import { planFiles, readTakenPaths, type WaitingFile } from "#operations/deliveries/plan-files.ts";
import { planManifests, type WaitingManifest } from "#operations/deliveries/plan-manifests.ts";
import {
  openCheckpoint,
  sealCheckpoint,
  endDelivery,
  leaveOutIfRejected,
  recordDelivered,
  recordFailed,
  recordProgress,
} from "#operations/deliveries/record-file.ts";
import { coverName } from "#operations/downloads/job-files.ts";
import { coverKeyOf } from "#operations/jobs/job-folders.ts";
import { SUBTITLE_FORMATS, subtitleFile, subtitleName } from "#operations/jobs/videos/output-subtitles.ts";
import { openTarget } from "#operations/destinations/open-target.ts";
import { openLocally } from "#storage/open-locally.ts";
import { type Contact, HostCoolsDown } from "#operations/hosts/contact-host.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import { makeScratch } from "../sources/scratch.ts";
import type { WorkerContext } from "../worker-context.ts";
import { countBurstsOnce } from "./count-bursts-once.ts";
import { sendUnderFreeName } from "./send-under-free-name.ts";

/** Per file, without progress; waits for the destination do not count. */
const MAX_TRIES = 10;
const PAUSES = { firstMs: 500, mostMs: 5_000 };

/** An operator must correct the destination: all other files would fail, too. */
const OF_DESTINATION: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "bad_key",
  "bad_link",
  "no_space",
  "no_tool",
  "not_shared",
  "source_not_found",
]);
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "incomplete",
  "network",
  "quota_exceeded",
  "rate_limited",
  "unavailable",
]);

/** A `reason` applies to the complete delivery. */
export type DeliveryEnd = { status: "Completed" | "Failed"; delivered: number; failed: number } | { reason: string };

type Sending = {
  worker: WorkerContext;
  claim: ClaimedDelivery;
  attempt: { taskId: string; attempt: number };
  target: DeliveryTarget;
  signal: AbortSignal;
  /** Aborts when the delivery is canceled: unfinished uploads are then abandoned. */
  cancelSignal: AbortSignal;
  contact: Contact;
  /** For copies of files. */
  folder: string;
};

/**
 * Sends the files, then the manifests. Rejects for a cooling destination, when `signal` aborts, and with the system's
 * error if the worker's own disk is full.
 */
export async function deliverFiles(
  worker: WorkerContext,
  claim: ClaimedDelivery,
  { attempt, ...signals }: Pick<Sending, "signal" | "cancelSignal" | "contact"> & { attempt: number },
): Promise<DeliveryEnd> {
  const { destination, delivery } = claim;
  const { signal, cancelSignal, contact } = signals;
  try {
    await using scratch = await makeScratch(worker.scratchRoot, delivery.id);
    await using target = await openTarget(worker.context, { ...destination, ...destination.settings }, signal);
    const host = destinationHost(destination.id);
    const sending: Sending = {
      ...{ worker, claim, target, signal, cancelSignal, folder: scratch.folder },
      attempt: { taskId: delivery.id, attempt },
      contact: countBurstsOnce(contact, host),
    };
    for (;;) {
      signal.throwIfAborted();
      await sendFiles(sending);
      await inSpan("send manifests", () => sendManifests(sending));
      const ended = await write(sending, () => endDelivery(worker.context, sending.attempt));
      if (ended) return ended;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClipmillError && isOfDestination(error)) {
      currentSpan()?.fail(error.code, true);
      return { reason: error.message };
    }
    throw error;
  }
}

function write<Result>({ signal }: Pick<Sending, "signal">, act: () => Promise<Result>): Promise<Result> {
  return retryUntilWritten(signal, act);
}

/** Retries files with transient errors after the others. */
async function sendFiles(sending: Sending): Promise<void> {
  const { worker, claim, target, signal } = sending;
  let files = await write(sending, () => planFiles(worker.context, claim));
  const taken = await readTakenPaths(worker.context.db, claim.delivery.id);
  while (files.length > 0) {
    const again: WaitingFile[] = [];
    let pauseMs = 0;
    await forEachAtOnce(files, target.filesAtOnce, async (file) => {
      signal.throwIfAborted();
      const next = await inSpan("send", () => sendFile(sending, file, taken));
      if (!next) return;
      again.push(next);
      pauseMs = Math.max(pauseMs, pauseAfter(next.attempts, PAUSES));
    });
    files = again;
    if (files.length > 0) await delay(pauseMs, undefined, { signal });
  }
}

async function sendFile(sending: Sending, file: WaitingFile, taken: Set<string>): Promise<WaitingFile | null> {
  const { worker, attempt, signal } = sending;
  let { attempts } = file;
  let resume = openCheckpoint(worker.context, file);
  // A delivery can take days, for example at 30 posts an hour.
  if (await write(sending, () => leaveOutIfRejected(worker.context, attempt, file.id))) {
    await abandon(sending, file, resume);
    return null;
  }
  try {
    await using local = await openFile(sending, file);
    const measured = { ...(await measureLocal(local.path, file.sha256)), caption: file.caption };
    await sendUnderFreeName(sending, {
      file: measured,
      targetPath: file.targetPath,
      taken,
      resume: () => resume,
      onProgress: async (next) => {
        [resume, attempts] = [next, next === null ? attempts : 0];
        const sealed = next && sealCheckpoint(worker.context, file, next);
        await write(sending, () => recordProgress(worker.context, attempt, file.id, { resume: sealed, attempts }));
      },
      onRename: async (targetPath) => {
        resume = null;
        file = { ...file, targetPath };
        await write(sending, () => recordProgress(worker.context, attempt, file.id, { targetPath, resume }));
      },
    });
    // A post has no place for them.
    if (sending.claim.destination.kind !== "postiz") {
      if (file.hasCover) await sendCover(sending, file, taken);
      if (file.srt !== null) await sendSubtitles(sending, file, file.srt, taken);
    }
    await write(sending, () => recordDelivered(worker.context, attempt, file.id, measured));
    return null;
  } catch (error) {
    if (sending.cancelSignal.aborted) await abandon(sending, file, resume);
    signal.throwIfAborted();
    if (!(error instanceof ClipmillError) || error instanceof HostCoolsDown || isOfDestination(error)) throw error;
    attempts += 1;
    if (PASSING.has(error.code) && attempts < MAX_TRIES) {
      await write(sending, () => recordProgress(worker.context, attempt, file.id, { attempts }));
      return { ...file, resume: resume && sealCheckpoint(worker.context, file, resume), attempts };
    }
    const { keepsProgress } = sending.target;
    currentSpan()?.fail(error.code, true);
    await write(sending, () => recordFailed(worker.context, attempt, file.id, error.message, { keepsProgress }));
    return null;
  }
}

async function sendCover(sending: Sending, { id, storageKey, targetPath }: WaitingFile, taken: Set<string>) {
  const cover = { id: `${id}-cover`, storageKey: storageKey && coverKeyOf(storageKey) };
  await using local = await openFile(sending, cover);
  await sendUnderFreeName(sending, {
    ...{ file: await measureLocal(local.path, null), targetPath: coverName(targetPath), taken },
    resume: () => null,
    onProgress: async () => {},
    onRename: async () => {},
  });
}

async function sendSubtitles(
  sending: Sending,
  { id, targetPath, subtitleLanguage }: WaitingFile,
  srt: string,
  taken: Set<string>,
): Promise<void> {
  for (const format of SUBTITLE_FORMATS) {
    const local = path.join(sending.folder, `${id}.${format}`);
    await writeFile(local, subtitleFile(srt, format));
    await sendUnderFreeName(sending, {
      ...{
        file: await measureLocal(local, null),
        targetPath: subtitleName(targetPath, format, subtitleLanguage),
        taken,
      },
      resume: () => null,
      onProgress: async () => {},
      onRename: async () => {},
    });
    await rm(local, { force: true });
  }
}

/** Removes what was sent of an unfinished file. */
async function abandon({ target }: Sending, file: WaitingFile, resume: string | null): Promise<void> {
  await target.abandon(file.targetPath, { sha256: file.sha256 ?? "" }, resume);
}

async function openFile(
  { worker, contact, folder, signal }: Sending,
  { id, storageKey }: Pick<WaitingFile, "id" | "storageKey">,
) {
  if (storageKey === null) throw new ClipmillError("not_found", "The job's file was deleted.");
  return await contact("storage", async (onResponse) => {
    const file = await openLocally(worker.context.storage, storageKey, { copy: path.join(folder, id), signal });
    onResponse();
    return file;
  });
}

/** Throws if the job's file has changed since it was made. */
async function measureLocal(localPath: string, expected: string | null): Promise<SentFile> {
  const { size } = await stat(localPath);
  const sha256 = await sha256OfFile(localPath);
  if (expected !== null && expected !== sha256) {
    throw new ClipmillError("damaged", "The stored file is damaged. Make it again, then deliver the job.");
  }
  return { localPath, sizeBytes: size, sha256 };
}

async function sendManifests(sending: Sending): Promise<void> {
  const { worker, claim, folder } = sending;
  const manifests = await write(sending, () => planManifests(worker.context, claim));
  if (manifests.length === 0) return;
  const taken = await readTakenPaths(worker.context.db, claim.delivery.id);
  for (const manifest of manifests) {
    const localPath = path.join(folder, manifest.name);
    await writeFile(localPath, manifest.bytes);
    await sendManifest(sending, manifest, { localPath, taken });
  }
}

async function sendManifest(
  sending: Sending,
  { id, targetPath, replaced, sha256, bytes }: WaitingManifest,
  { localPath, taken }: { localPath: string; taken: Set<string> },
): Promise<void> {
  const { worker, attempt, signal } = sending;
  const file = { localPath, sizeBytes: bytes.length, sha256 };
  for (let tries = 1; ; tries += 1) {
    try {
      await sendUnderFreeName(sending, {
        ...{ file, targetPath, taken, replaced },
        resume: () => null,
        onProgress: async () => {},
        onRename: (renamed) =>
          write(sending, () => recordProgress(worker.context, attempt, id, { targetPath: renamed })),
      });
      return await write(sending, () => recordDelivered(worker.context, attempt, id, file));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ClipmillError) || error instanceof HostCoolsDown || isOfDestination(error)) throw error;
      if (!PASSING.has(error.code) || tries >= MAX_TRIES) {
        return await write(sending, () => recordFailed(worker.context, attempt, id, error.message));
      }
      await delay(pauseAfter(tries, PAUSES), undefined, { signal });
    }
  }
}

function isOfDestination(error: ClipmillError): boolean {
  return !(error instanceof HostCoolsDown) && OF_DESTINATION.has(error.code);
}
