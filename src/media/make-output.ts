/** Makes an output of its streams. */
import { existsSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { measureRendered } from "./measure-rendered.ts";
import { outputArguments, thumbnailArguments } from "./plan/output-arguments.ts";
import { type PlannedOutput, streamsOf } from "./plan/render-plan.ts";
import type { RenderRun } from "./render-run.ts";
import { requireAudio, requireVideo } from "./required-streams.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";

const THUMBNAIL_AT_SECONDS = 1;

/** Joins an output's streams, takes its thumbnail and hands both over. */
export async function makeOutput(run: RenderRun, output: PlannedOutput): Promise<void> {
  const { options, request, plan } = run;
  const { source } = request;
  const picture = output.picture.from === "encoded" ? await run.streams.get(output.picture.id) : null;
  const sound = output.sound.from === "encoded" ? await run.streams.get(output.sound.id) : null;
  const file = run.fileOf(`output-${plan.outputs.indexOf(output)}.mp4`);
  const sourceSound = output.sound.from === "source" ? requireAudio(source.probe).index : null;
  await runFfmpeg(options.tools, {
    step: "output",
    args: outputArguments(
      picture ? { path: picture.path, index: 0 } : { path: source.path, index: requireVideo(source.probe).index },
      sound ? { path: sound.path, index: 0 } : sourceSound === null ? null : { path: source.path, index: sourceSound },
      // the picture may have ended a frame or two early: the sound ends with it
      { seconds: picture && picture.seconds < output.seconds ? picture.seconds : null, file },
    ),
    signal: run.signal,
  });
  const durationSeconds = picture ? picture.seconds : await measureRendered(run, file, output.seconds);
  const thumbnailPath = run.fileOf(`output-${plan.outputs.indexOf(output)}.jpg`);
  await takeThumbnail(run, output, { video: file, durationSeconds, thumbnailPath });
  run.note(output.key, 1);
  await options.onOutput({
    key: output.key,
    path: file,
    thumbnailPath,
    durationSeconds,
    width: plan.width,
    height: plan.height,
  });
  const lastUsed = streamsOf(output).filter((id) => run.lastUserOf.get(id) === output.key);
  const unneeded = await Promise.all(lastUsed.map((id) => run.streams.get(id)));
  const paths = [file, thumbnailPath, ...unneeded.map(({ path }) => path)];
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** Takes the thumbnail of the output's picture once, and copies it for the other outputs with the same picture. */
async function takeThumbnail(
  run: RenderRun,
  output: PlannedOutput,
  made: { video: string; durationSeconds: number; thumbnailPath: string },
): Promise<void> {
  const shared = run.fileOf(`${output.picture.from === "encoded" ? output.picture.id : "source"}.jpg`);
  const isFirst = !run.streams.has(shared);
  if (isFirst) {
    const atSeconds = Math.min(THUMBNAIL_AT_SECONDS, made.durationSeconds / 2);
    for (const at of [atSeconds, 0]) {
      const args = thumbnailArguments(made.video, { atSeconds: at, file: shared });
      await runFfmpeg(run.options.tools, { step: "thumbnail", args, signal: run.signal });
      // a video of one frame has none so late
      if (existsSync(shared)) break;
    }
    run.streams.put(shared, { path: shared, seconds: 0 });
  }
  await copyFile(shared, made.thumbnailPath);
}
