import { FACES_NOT_FOLLOWED } from "#contract/jobs/outputs/warnings.ts";
import { detectFaces } from "#media/faces/detect-faces.ts";
import { FACE_MODEL, type SeenFaces } from "#media/faces/find-faces.ts";
import { isCropped, planFrames } from "#media/plan/plan-frames.ts";
import type { MediaFile, RenderRequest } from "#media/plan/render-plan.ts";
import type { WorkerContext } from "../worker-context.ts";
import { keepAnalysis, windowsIn } from "./kept-analysis.ts";
import type { Attempt } from "./attempt.ts";

/** Finds the faces that crops follow, if the job's settings say so. Throws what `detectFaces` throws. */
export async function withFaces(
  worker: Pick<WorkerContext, "tools" | "streams">,
  { folder, signal }: Pick<Attempt, "folder" | "signal">,
  request: RenderRequest,
): Promise<RenderRequest> {
  if (request.settings.fit_focus !== "face") return request;
  const frames = planFrames(request.sources[0].probe, request.settings);
  const faces = new Map<number, SeenFaces | null>();
  for (const [source, window] of windowsIn(request, ({ isBare }) => !isBare)) {
    const file = request.sources[source]!;
    if (!isCropped(file.probe, frames, request.settings)) continue;
    const key = [FACE_MODEL, file.revision, window, frames.frameRate];
    const seconds = window.endSeconds - window.startSeconds;
    const found = await keepAnalysis(worker, { kind: "faces", key, seconds, folder }, async () => {
      const seen = await detectFaces(worker.tools, file, { window, rate: frames.frameRate, folder, signal });
      return seen && Buffer.from(JSON.stringify(seen));
    });
    faces.set(source, found && (JSON.parse(Buffer.from(found).toString()) as SeenFaces));
  }
  const isFaceless = (source: number) => !faces.get(source)?.seen.some((look) => look.faces.length > 0);
  const [first, ...others] = request.sources.map((file, source): MediaFile => {
    const seen = faces.get(source);
    return seen ? { ...file, faces: seen } : file;
  });
  return {
    ...request,
    sources: [first!, ...others],
    outputs: request.outputs.map((output) => {
      const cropped = output.parts.filter(({ source }) => faces.has(source));
      const isFollowed = cropped.length === 0 || !cropped.every(({ source }) => isFaceless(source));
      return isFollowed ? output : { ...output, warnings: [...(output.warnings ?? []), FACES_NOT_FOLLOWED] };
    }),
  };
}
