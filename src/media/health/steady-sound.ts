import { ClipmillError } from "#contract/errors.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { steadySoundArguments } from "../plan/arguments/sound-arguments.ts";
import type { RenderRun } from "../render/render-run.ts";
import { requireAudio } from "../render/required-streams.ts";
import { EXIT_CODES, type FfmpegTools, runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { sentencesOf, type SoundOrigin } from "./find-damage.ts";

const steadied = new WeakMap<RenderRun, Map<string, Promise<MediaFile>>>();

/** True if a filter received sound of another rate or layout, or a decoder rejects it. */
export function isChangedSound(error: unknown): boolean {
  return error instanceof ClipmillError && error.facts["exitCode"] === EXIT_CODES.invalidArgument;
}

/**
 * Decodes to one rate and layout, once per render: at a change, ffmpeg would rebuild its filters and lose their
 * buffered sound, including looped music. Throws what `runFfmpeg` throws.
 */
export async function steadySound(run: RenderRun, file: MediaFile, origin: SoundOrigin): Promise<MediaFile> {
  const files = steadied.get(run) ?? new Map<string, Promise<MediaFile>>();
  steadied.set(run, files);
  const known =
    files.get(file.path) ??
    decodeSteadily(run.options.tools, file, {
      ...{ path: run.fileOf(`steady-sound-${files.size}.mka`), origin, signal: run.signal },
    });
  files.set(file.path, known);
  return await known;
}

/** Writes `path`. Throws what `runFfmpeg` throws. */
export async function decodeSteadily(
  tools: FfmpegTools,
  file: MediaFile,
  { path, origin, signal }: { path: string; origin: SoundOrigin; signal: AbortSignal },
): Promise<MediaFile> {
  await runFfmpeg(tools, {
    step: "steady sound",
    args: steadySoundArguments(file, path),
    signal,
    ...sentencesOf(origin),
    mediaSeconds: file.probe.durationSeconds,
  });
  const { channels, durationSeconds, losses } = requireAudio(file.probe);
  const audio = {
    ...{ index: 0, codec: "pcm_f32le", profile: null, sampleRate: 48_000, channels: Math.max(2, channels) },
    ...{ durationSeconds, losses },
  };
  return { ...file, path, isJoined: true, probe: { ...file.probe, formatName: "matroska,webm", audio } };
}
