import { measureOwnLoudness } from "#media/health/own-sound.ts";
import { evenGains } from "#media/plan/loudness.ts";
import type { RenderRequest } from "#media/plan/render-plan.ts";
import { speedOf } from "#media/plan/speed.ts";
import type { WorkerContext } from "../worker-context.ts";
import { keepAnalysis, windowsIn } from "./kept-analysis.ts";
import type { Attempt } from "./attempt.ts";

/** Gives all parts of an assembled video the same loudness, unless the job leaves it. Throws like `readOwnSound`. */
export async function withEvenLoudness(
  worker: Pick<WorkerContext, "tools" | "streams">,
  { job, video, folder, signal }: Pick<Attempt, "job" | "video" | "folder" | "signal">,
  request: RenderRequest,
): Promise<RenderRequest> {
  const isAudible = request.outputs.some(({ trackIndex }) => trackIndex === null || job.audio_mode === "mix");
  if (video.clips === null || !job.even_loudness || !isAudible) return request;
  const parts: { source: number; seconds: number; integratedLufs: number | null }[] = [];
  const speeds = new Map(request.outputs.flatMap(({ parts: own }) => own.map((part) => [part.source, speedOf(part)])));
  for (const [source, window] of windowsIn(request, () => true)) {
    const file = request.sources[source]!;
    const seconds = window.endSeconds - window.startSeconds;
    const speed = speeds.get(source) ?? 1;
    const key = [file.revision, window];
    const found = await keepAnalysis(worker, { kind: "loudness", key, seconds, folder }, async () => {
      const loudness = await measureOwnLoudness(worker.tools, file, { window, folder, signal });
      return loudness && Buffer.from(String(loudness.integratedLufs));
    });
    parts.push({ source, seconds: seconds / speed, integratedLufs: found && Number(Buffer.from(found).toString()) });
  }
  const gains = new Map(evenGains(parts).map((gainDb, i) => [parts[i]!.source, gainDb]));
  return {
    ...request,
    outputs: request.outputs.map((output) => ({
      ...output,
      parts: output.parts.map((part) => ({ ...part, gainDb: gains.get(part.source)! })),
    })),
  };
}
