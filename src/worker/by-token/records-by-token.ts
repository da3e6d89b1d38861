import type { RecordName } from "#contract/workers/worker-protocol.ts";
import { measure } from "#ground/checksum.ts";
import { MOST_AHEAD } from "#contract/workers/worker-protocol.ts";
import type { Cooldown } from "#operations/hosts/find-cooldown.ts";
import { HostCoolsDown } from "#operations/hosts/contact-host.ts";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { VideoEnd } from "#operations/jobs/videos/end-video.ts";
import type { VideoRecords } from "#operations/jobs/videos/video-records.ts";
import type { ServerLine } from "./server-line.ts";

type Translated = { made?: [string, string][]; cooldown?: Cooldown };
type Address = { url: string; headers: Record<string, string> };

/** The server asks a model meanwhile, maybe several times. */
const MODEL_MS = 300_000;

/** Returns a claim's path under /worker/v1. */
export function claimPath({ videoId, retryCount }: { videoId: string; retryCount: number }): string {
  return `/claims/${videoId}/${retryCount}`;
}

/** The records of a claimed video, through the server. Throws what `ServerLine.call` throws. */
export function createRecordsByToken(line: ServerLine, claim: { videoId: string; retryCount: number }): VideoRecords {
  const path = claimPath(claim);
  const ask = <Answer>(name: RecordName, request: object = {}): Promise<Answer> =>
    line.call<Answer>(`${path}/${name}`, request);
  return {
    readNow: () => ask("readNow"),
    readHost: (host) => ask("readHost", { host }),
    recordHostResponse: (host) => ask("recordHostResponse", { host }),
    releaseProbe: (host) => ask("releaseProbe", { host }),
    recordHostFailure: (failure) => ask("recordHostFailure", { failure }),
    claim: () => ask("claim"),
    plan: (facts, outputs, costMinutes) => ask("plan", { facts, outputs, costMinutes }),
    findStored: (contentKey) => ask("findStored", { contentKey }),
    findKept: (contentKey) => ask("findKept", { contentKey }),
    recordSubtitles: (contentKey, srt) => ask("recordSubtitles", { contentKey, srt }),
    async storeFile(key, fromPath, { signal, measured = null }) {
      const found = measured ?? (await measure(createReadStream(fromPath) as AsyncIterable<Buffer>));
      const { sizeBytes, sha256 } = found;
      const file = { path: fromPath, sizeBytes, sha256 };
      const wanted = { key, sizeBytes, sha256 };
      const store = await line.call<{ isStored: boolean; address: Address | null }>(`${path}/store`, wanted, {
        signal,
      });
      if (store.address) await line.uploadTo(store.address, file, signal);
      else if (!store.isStored) await line.upload(`${path}/files?${new URLSearchParams({ key })}`, file, signal);
      await rm(fromPath, { force: true });
      return found;
    },
    removeFile: (key) => ask("removeFile", { key }),
    complete: (output) => ask("complete", output),
    report: ({ outputs, ...progress }) => ask("report", { ...progress, outputs: [...outputs] }),
    end: (how) => ask("end", toWire(how)),
    postpone: (failure, wait) => ask("postpone", { failure, wait }),
    canTranscribe: () => ask("canTranscribe"),
    obtainTranscript: (of) => ask("obtainTranscript", of),
    keepFileTranscript: async (of, read) => ask("keepFileTranscript", { of, lines: await read() }),
    async translate(wanted, signal) {
      const request = { ...wanted, ahead: [...new Set(wanted.ahead)].slice(0, MOST_AHEAD) };
      const { made = [], cooldown } = await line.call<Translated>(`${path}/translate`, request, {
        ...{ signal, answerMs: MODEL_MS },
      });
      if (cooldown) throw new HostCoolsDown(cooldown);
      return new Map(made);
    },
    // These belong to other videos.
    captionsOfNextRows: async () => [],
    hasOtherWorkers: () => ask("hasOtherWorkers"),
  };
}

function toWire(how: VideoEnd): object {
  if (how.status !== "Failed") return how;
  const reasons = [...new Set(how.outputFailures?.values())];
  const outputFailures = [...(how.outputFailures ?? [])].map(([id, failure]) => [id, reasons.indexOf(failure)]);
  return { ...how, reasons, outputFailures };
}
