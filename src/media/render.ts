/** Renders all outputs of one video by its plan: pictures, sounds, then each output as soon as its two streams are there. */
import { mkdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import { drawTexts, encodePictures, encodeSound } from "./encode-streams.ts";
import { makeOutput } from "./make-output.ts";
import { createPartBoard } from "./part-board.ts";
import { planRender } from "./plan/plan-render.ts";
import { type RenderRequest, streamsOf } from "./plan/render-plan.ts";
import { trackProgress } from "./progress-shares.ts";
import type { RenderOptions, RenderRun } from "./render-run.ts";

export type { RenderRequest } from "./plan/render-plan.ts";
export type { RenderedOutput } from "./render-run.ts";

const MOST_SOUNDS_AT_ONCE = 4;

/**
 * Renders the outputs of one video. Resolves when all have been handed to `onOutput`. Rejects with the first failure, after
 * everything it started has ended: ClipmillError "cancelled", "damaged", "no_space", "render_failed", or what `onOutput` threw.
 */
export async function renderOutputs(request: RenderRequest, options: RenderOptions): Promise<void> {
  const plan = planRender(request);
  const failure = new AbortController();
  const progress = trackProgress(plan);
  const run: RenderRun = {
    request,
    plan,
    options,
    signal: AbortSignal.any([options.signal, failure.signal]),
    streams: createPartBoard(),
    // later outputs overwrite earlier ones
    lastUserOf: new Map(plan.outputs.flatMap((output) => streamsOf(output).map((id) => [id, output.key] as const))),
    note(part, share) {
      progress.note(part, share);
      options.onProgress(progress.read());
    },
    fileOf: (name) => path.join(options.scratchFolder, name),
  };
  await mkdir(options.scratchFolder, { recursive: true });
  const drawn = await drawTexts(run);
  const pictureLanes = options.concurrency ?? 1;
  // with no picture to encode, sounds have the cores to themselves
  const soundLanes = plan.pictureRuns.length > 0 ? 1 : Math.min(MOST_SOUNDS_AT_ONCE, os.availableParallelism());
  let first: unknown;
  const fail = (error: unknown) => {
    first ??= error;
    failure.abort();
    run.streams.fail(error);
  };
  await Promise.all([
    inTurn(plan.pictureRuns, pictureLanes, (pictures) => encodePictures(run, pictures, drawn), fail),
    inTurn(plan.sounds, soundLanes, (sound) => encodeSound(run, sound), fail),
    inTurn(plan.outputs, 1, (output) => makeOutput(run, output), fail),
  ]);
  if (options.signal.aborted) throw new ClipmillError("cancelled", "Rendering was cancelled.");
  if (first !== undefined) throw first;
}

/** Does `work` for each item in order, `atOnce` of them at a time. Each worker that fails says so and does no more; resolves when all are done. */
async function inTurn<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
  fail: (error: unknown) => void,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: Math.max(1, atOnce) }, async () => {
      try {
        for (const item of rest) await work(item);
      } catch (error) {
        fail(error);
      }
    }),
  );
}
