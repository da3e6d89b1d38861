import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { sha256Of } from "#ground/checksum.ts";
import { cutSilences } from "#media/plan/cut-silences.ts";
import type { MediaFile, RenderRequest } from "#media/plan/render-plan.ts";
import { detectSpeech } from "#media/speech/detect-speech.ts";
import { type HeardSpeech, SPEECH_MODEL } from "#media/speech/find-speech.ts";
import type { WorkerContext } from "../worker-context.ts";
import type { Attempt } from "./store-file.ts";

type Listener = Pick<WorkerContext, "tools" | "streams">;
type Place = Pick<Attempt, "folder" | "signal">;

/** Cuts silences out of all timelines if the job's settings say so. Throws what `detectSpeech` throws. */
export async function withoutSilences(
  worker: Listener,
  { job, ...place }: Pick<Attempt, "job"> & Place,
  request: RenderRequest,
): Promise<RenderRequest> {
  if (job.cut_silences_ms === 0) return request;
  const heardIn = new Map<number, HeardSpeech | null>();
  for (const [source, window] of windowsIn(request)) {
    heardIn.set(source, await hearSpeech(worker, request.sources[source]!, { ...place, window }));
  }
  return cutSilences(request, heardIn, job);
}

/** Returns the range of each source that outputs use. */
function windowsIn({ sources, outputs }: RenderRequest): Map<number, Window> {
  const windows = new Map<number, Window>();
  for (const { source, window, isBare } of outputs.flatMap(({ parts }) => parts)) {
    if (isBare) continue;
    const used = window ?? { startSeconds: 0, endSeconds: sources[source]!.probe.durationSeconds };
    const { startSeconds, endSeconds } = windows.get(source) ?? used;
    windows.set(source, {
      startSeconds: Math.min(startSeconds, used.startSeconds),
      endSeconds: Math.max(endSeconds, used.endSeconds),
    });
  }
  return windows;
}

/** Keeps the result with the encoded streams, so that neither a retry nor another job listens to the same sound again. */
async function hearSpeech(
  { tools, streams }: Listener,
  file: MediaFile,
  { window, folder, signal }: Place & { window: Window },
): Promise<HeardSpeech | null> {
  const key = sha256Of(JSON.stringify(["speech", SPEECH_MODEL, file.revision, window]));
  const known = await streams.take(key, folder, "speech");
  if (known) return { fromSeconds: window.startSeconds, likelihoods: await readFile(known.path) };
  const heard = await detectSpeech(tools, file, { window, folder, signal });
  if (!heard) return null;
  const kept = path.join(folder, "speech.likelihoods");
  await writeFile(kept, heard.likelihoods);
  await streams.keep(key, { path: kept, thumbnailPath: null, seconds: window.endSeconds - window.startSeconds });
  return heard;
}
