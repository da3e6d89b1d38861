import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "#ground/checksum.ts";
import type { MediaFile } from "#media/plan/render-plan.ts";
import { makeNeutralStill, extractStill } from "#media/stills/preview.ts";
import { probe } from "#media/probe/probe.ts";
import { makeScratch } from "../sources/scratch.ts";
import { openPreviewVideos, type PreviewVideos } from "./preview-videos.ts";
import type { WorkerContext } from "../worker-context.ts";

const MAX_FETCH_MS = 5 * 60_000;
const MAX_KEPT_STILLS = 60;
/** Every keystroke requests a preview; most should reach neither Google nor the disk. */
const FRESH_MS = 10 * 60_000;
/** Afterwards, "Try again" fetches the video again. */
const FRESH_FAILURE_MS = 5_000;
const NEUTRAL = "neutral";

type Entry = { still: Promise<MediaFile>; extracting: AbortController; staleAt: number };

/** In seconds; null is the thumbnail's moment. */
export type Moment = { link: string; atSeconds: number | null };

export function keyOfMoment({ link, atSeconds }: Moment): string {
  return JSON.stringify([link, atSeconds]);
}

export type PreviewStills = Pick<PreviewVideos, "withVideo"> & {
  /** Continues without waiting requests, until `forget`. Moments of a video share its download. */
  take(moment: Moment): Promise<MediaFile>;
  /** Cancels the moment's extraction, and the download unless another moment needs it. */
  forget(moment: Moment): void;
  takeNeutral(): Promise<MediaFile>;
  stop(): Promise<void>;
};

export type StillMaker = Pick<WorkerContext, "context" | "tools" | "drawer" | "sources">;

/** Keeps the 60 most recently used stills in `root`. Downloads go to `scratchRoot`. */
export async function openPreviewStills(worker: StillMaker, root: string, scratchRoot: string): Promise<PreviewStills> {
  await mkdir(root, { recursive: true });
  const entries = new Map<string, Entry>();
  const videos = openPreviewVideos(worker, scratchRoot);
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

  const makeStill = ({ link, atSeconds }: Moment, signal: AbortSignal): Promise<MediaFile> =>
    videos.withVideo(link, signal, (video) => {
      const revision = atSeconds === null ? video.revision : `${video.revision} at ${atSeconds}`;
      return keep(revision, (folder) => extractStill(worker.tools, video, { folder, signal, atSeconds }));
    });

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
    // Evicted since.
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
    withVideo: (link, signal, use) => videos.withVideo(link, signal, use),
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
      await videos.stop();
    },
  };
}

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
