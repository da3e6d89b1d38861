import { stat } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import { createBackgroundContact } from "../hosts/background-contact.ts";
import type { WorkerContext } from "../worker-context.ts";
import { createBackgroundTurns } from "./background-turns.ts";
import { fetchTrack, fetchVideo } from "./fetch-source.ts";
import type { Prefetch, Prefetched, Prefetcher } from "./prefetcher.ts";
import { probeAhead } from "./probe-source.ts";
import { makeScratch } from "./scratch.ts";

/** Two, because some hosts limit each connection. More would delay the first one on a slow line. */
const MAX_DOWNLOADS = 2;
/** Larger files would evict others from the cache. */
const MAX_PREFETCHED_BYTES = 1024 ** 3;

const LOW_DISK = "Sources are not fetched ahead while the disk is almost full.";

type Fetcher = Pick<WorkerContext, "context" | "tools" | "sources" | "probes" | "disk" | "scratchRoot">;

export function createPrefetcher({ context, ...own }: Fetcher): Prefetcher {
  const worker = { ...own, reader: createSourceReader(context) };
  const turns = createBackgroundTurns(MAX_DOWNLOADS);
  const contact = createBackgroundContact(context);
  const running = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  let space = new AbortController();
  worker.disk?.onChange((state) => {
    if (state === "ok") space = new AbortController();
    else space.abort(new ClipmillError("no_space", LOW_DISK));
  });

  const fetchAndProbe = async ({ link, use, jobId }: Prefetch, signal: AbortSignal): Promise<Prefetched> => {
    await using scratch = await makeScratch(worker.scratchRoot, "ahead");
    const fetching = { jobId, folder: scratch.folder, signal, contact };
    const source =
      use === "music"
        ? await fetchTrack(worker, link, fetching)
        : await fetchVideo(worker, link, { ...fetching, maxBytes: MAX_PREFETCHED_BYTES });
    return { probe: await probeAhead(worker, signal, use, source), sizeBytes: (await stat(source.path)).size };
  };

  return {
    foreground: (act) => turns.foreground(act),
    async prefetch(source, rank, signal) {
      const any = AbortSignal.any([signal, space.signal, stopping.signal]);
      const fetched = turns.background(rank, any, () => fetchAndProbe(source, any));
      running.add(fetched);
      return await fetched.finally(() => running.delete(fetched));
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
