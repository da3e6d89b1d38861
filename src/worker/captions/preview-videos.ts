import type { MediaFile } from "#media/plan/render-plan.ts";
import { probe } from "#media/probe/probe.ts";
import { requireVideo } from "#media/render/required-streams.ts";
import { untilAborted } from "#ground/until-aborted.ts";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import { contactUnconditionally } from "#operations/hosts/contact-host.ts";
import { fetchVideo } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import type { WorkerContext } from "../worker-context.ts";

const MAX_FETCHED_BYTES = 500 * 1000 ** 2;
const MAX_FETCH_MS = 5 * 60_000;
const MAX_KEPT_VIDEOS = 4;
const KEPT_MS = 10 * 60_000;

export type PreviewVideos = {
  /**
   * Fetches the video, unless cached, for `use`. Concurrent uses share a download, which is canceled with the last of
   * them.
   */
  withVideo<Result>(link: string, signal: AbortSignal, use: (video: MediaFile) => Promise<Result>): Promise<Result>;
  /** Removes all videos; none may be in use. */
  stop(): Promise<void>;
};

type Video = {
  file: Promise<MediaFile>;
  scratch: ReturnType<typeof makeScratch>;
  fetching: AbortController;
  users: number;
  fetchedAt: number | null;
};

/** Caches the 4 most recently used videos for 10 minutes, so that another still needs neither the host nor a probe. */
export function openPreviewVideos(
  { context, ...own }: Pick<WorkerContext, "context" | "tools" | "sources">,
  scratchRoot: string,
): PreviewVideos {
  const worker = { ...own, reader: createSourceReader(context) };
  /** Least recently used first. */
  const videos = new Map<string, Video>();

  const fetchFile = async (link: string, folder: string, signal: AbortSignal): Promise<MediaFile> => {
    // Without a revision from Google, the cached file is valid until the end of the hour.
    const hour = new Date().toISOString().slice(0, 13);
    const jobId = `preview ${hour}`;
    const fetching = { jobId, folder, signal, maxBytes: MAX_FETCHED_BYTES, contact: contactUnconditionally };
    const source = await fetchVideo(worker, link, fetching);
    const found = await probe(worker.tools, source.path, { signal });
    requireVideo(found);
    return { ...source, probe: found };
  };

  const begin = (link: string): Video => {
    const fetching = new AbortController();
    const signal = AbortSignal.any([fetching.signal, AbortSignal.timeout(MAX_FETCH_MS)]);
    const scratch = makeScratch(scratchRoot, "source");
    const file = scratch.then(({ folder }) => fetchFile(link, folder, signal));
    const video: Video = { file, scratch, fetching, users: 0, fetchedAt: null };
    file.then(
      () => (video.fetchedAt = performance.now()),
      () => {},
    );
    return video;
  };

  const sweep = async (mostKept = MAX_KEPT_VIDEOS): Promise<void> => {
    const unused = [...videos].filter(([, { users }]) => users === 0);
    const fresh = unused.filter(([, video]) => isFresh(video)).toReversed();
    const kept = new Set(fresh.slice(0, mostKept));
    const removed = unused.filter((entry) => !kept.has(entry));
    for (const [link] of removed) videos.delete(link);
    // The next start removes leftovers.
    await Promise.allSettled(
      removed.map(async ([, { file, scratch, fetching }]) => {
        fetching.abort();
        await Promise.allSettled([file]);
        await (await scratch)[Symbol.asyncDispose]();
      }),
    );
  };

  return {
    async withVideo(link, signal, use) {
      void sweep();
      const video = videos.get(link) ?? begin(link);
      videos.delete(link);
      videos.set(link, video);
      video.users += 1;
      try {
        return await use(await untilAborted(video.file, signal));
      } finally {
        video.users -= 1;
        await sweep();
        setTimeout(() => void sweep(), KEPT_MS).unref();
      }
    },
    stop: () => sweep(0),
  };
}

function isFresh({ fetchedAt }: Video): boolean {
  return fetchedAt !== null && performance.now() < fetchedAt + KEPT_MS;
}
