/** Fetches preview frames like a job's videos and stores them by content. */
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "#ground/checksum.ts";
import { untilAborted } from "#ground/until-aborted.ts";
import type { MediaFile } from "#media/plan/render-plan.ts";
import { makeNeutralStill, extractStill } from "#media/stills/preview.ts";
import { probe } from "#media/probe/probe.ts";
import { requireVideo } from "#media/render/required-streams.ts";
import { contactUnconditionally } from "../hosts/contact-host.ts";
import { fetchVideo } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import type { WorkerContext } from "../worker-context.ts";

const MAX_FETCHED_BYTES = 500 * 1000 ** 2;
const MAX_FETCH_MS = 5 * 60_000;
const MAX_KEPT_STILLS = 60;
/** Every keystroke requests a preview; most should reach neither Google nor the disk. */
const FRESH_MS = 10 * 60_000;
/** After it, Try again fetches the video again. */
const FRESH_FAILURE_MS = 5_000;
const NEUTRAL = "neutral";

type Entry = { still: Promise<MediaFile>; extracting: AbortController; staleAt: number };

/** A video that is fetched while a still of it is needed. */
type Video = {
  file: Promise<MediaFile>;
  scratch: ReturnType<typeof makeScratch>;
  fetching: AbortController;
  users: number;
};

/** A video's time, in seconds; null is that of its thumbnail. */
export type Moment = { link: string; atSeconds: number | null };

/** Returns equal strings for equal moments. */
export function keyOfMoment({ link, atSeconds }: Moment): string {
  return JSON.stringify([link, atSeconds]);
}

export type PreviewStills = {
  /**
   * Returns the video's still, or rejects with the reason. Fetches until `forget`, even if no request waits. Moments of
   * a video share its download.
   */
  take(moment: Moment): Promise<MediaFile>;
  /** Cancels the work for a moment that is no longer needed, and the download unless another moment needs it. */
  forget(moment: Moment): void;
  takeNeutral(): Promise<MediaFile>;
  stop(): Promise<void>;
};

export type StillMaker = Pick<WorkerContext, "context" | "tools" | "drawer" | "sources" | "outside">;

/**
 * Creates `root`, which keeps the 60 most recently used stills. `scratchRoot` is for downloads. Throws the system's
 * error.
 */
export async function openPreviewStills(worker: StillMaker, root: string, scratchRoot: string): Promise<PreviewStills> {
  await mkdir(root, { recursive: true });
  const entries = new Map<string, Entry>();
  const videos = new Map<string, Video>();
  let neutral: Promise<MediaFile> | null = null;

  const keep = async (revision: string, make: (folder: string) => Promise<string>): Promise<MediaFile> => {
    const file = path.join(root, `${sha256Of(revision)}.mp4`);
    if (!(await touch(file))) {
      await using scratch = await makeScratch(scratchRoot, "still");
      await rename(await make(scratch.folder), file);
      await dropOldest(root);
    }
    return { path: file, probe: await probe(worker.tools, file), revision };
  };

  const fetchFile = async (link: string, folder: string, signal: AbortSignal): Promise<MediaFile> => {
    // Without a revision from Google, the file is fetched again after an hour.
    const hour = new Date().toISOString().slice(0, 13);
    const jobId = `preview ${hour}`;
    const fetching = { jobId, folder, signal, maxBytes: MAX_FETCHED_BYTES, contact: contactUnconditionally };
    const source = await fetchVideo(worker, link, fetching);
    const found = await probe(worker.tools, source.path, { signal });
    requireVideo(found);
    return { ...source, probe: found };
  };

  const beginVideo = (link: string): Video => {
    const fetching = new AbortController();
    const signal = AbortSignal.any([fetching.signal, AbortSignal.timeout(MAX_FETCH_MS)]);
    const scratch = makeScratch(scratchRoot, "source");
    const file = scratch.then(({ folder }) => fetchFile(link, folder, signal));
    const video = { file, scratch, fetching, users: 0 };
    videos.set(link, video);
    return video;
  };

  /** Removes the video, and cancels its download, if nothing uses it any more. */
  const leave = async (link: string, video: Video): Promise<void> => {
    video.users -= 1;
    if (video.users > 0) return;
    videos.delete(link);
    video.fetching.abort();
    await Promise.allSettled([video.file]);
    await (await video.scratch)[Symbol.asyncDispose]();
  };

  const makeStill = async ({ link, atSeconds }: Moment, signal: AbortSignal): Promise<MediaFile> => {
    const video = videos.get(link) ?? beginVideo(link);
    video.users += 1;
    try {
      const file = await untilAborted(video.file, signal);
      const revision = atSeconds === null ? file.revision : `${file.revision} at ${atSeconds}`;
      return await keep(revision, (folder) => extractStill(worker.tools, file, { folder, signal, atSeconds }));
    } finally {
      await leave(link, video);
    }
  };

  const begin = (moment: Moment): Entry => {
    const extracting = new AbortController();
    const entry: Entry = {
      still: makeStill(moment, extracting.signal),
      extracting,
      staleAt: Number.POSITIVE_INFINITY,
    };
    entry.still.then(
      () => (entry.staleAt = performance.now() + FRESH_MS),
      () => (entry.staleAt = performance.now() + FRESH_FAILURE_MS),
    );
    return entry;
  };

  const take = async (moment: Moment): Promise<MediaFile> => {
    const key = keyOfMoment(moment);
    for (const [known, { staleAt }] of entries) if (staleAt < performance.now()) entries.delete(known);
    const entry = entries.get(key) ?? begin(moment);
    entries.set(key, entry);
    const still = await entry.still;
    if (await touch(still.path)) return still;
    // It was evicted.
    if (entries.get(key) === entry) entries.delete(key);
    return take(moment);
  };

  const takeNeutral = async (): Promise<MediaFile> => {
    const making = (neutral ??= keep(NEUTRAL, (folder) =>
      makeNeutralStill(worker.tools, { folder, signal: AbortSignal.timeout(MAX_FETCH_MS) }),
    ));
    const still = await making.catch((error: unknown) => {
      if (neutral === making) neutral = null;
      throw error;
    });
    if (await touch(still.path)) return still;
    if (neutral === making) neutral = null;
    return takeNeutral();
  };

  return {
    take,
    forget(moment) {
      const key = keyOfMoment(moment);
      const entry = entries.get(key);
      if (entry?.staleAt !== Number.POSITIVE_INFINITY) return;
      entry.extracting.abort();
      entries.delete(key);
    },
    takeNeutral,
    async stop() {
      for (const { extracting } of entries.values()) extracting.abort();
      await Promise.allSettled([...entries.values()].map(({ still }) => still));
    },
  };
}

/** Marks a still as used. Returns false if it does not exist. */
async function touch(file: string): Promise<boolean> {
  const now = new Date();
  return await utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

async function dropOldest(root: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(root)).map(async (name) => {
      const file = path.join(root, name);
      return { file, usedAt: (await stat(file).catch(() => null))?.mtimeMs ?? 0 };
    }),
  );
  const dropped = files.toSorted((a, b) => b.usedAt - a.usedAt).slice(MAX_KEPT_STILLS);
  for (const { file } of dropped) await rm(file, { force: true });
}
