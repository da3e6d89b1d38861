import { rm } from "node:fs/promises";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { EMPTY_REPORT, type RunReport } from "../ffmpeg/run-report.ts";
import { findSoundDamage, sentencesOf } from "../health/find-damage.ts";
import { isChangedSound, steadySound } from "../health/steady-sound.ts";
import {
  isSourceAudible,
  levelArguments,
  measureArguments,
  mixArguments,
  soundArguments,
  soundInputs,
  type SoundSources,
} from "../plan/arguments/sound-arguments.ts";
import {
  bestLevel,
  firstLevel,
  type Loudness,
  needsCheck,
  needsLimiter,
  nextLevel,
  SILENCE,
  type SoundLevel,
  type Trial,
} from "../plan/loudness.ts";
import type { MediaFile, PlannedSound } from "../plan/render-plan.ts";
import type { RenderRun } from "./render-run.ts";
import type { EncodedStream } from "./stream-cache.ts";

export async function encodeSound(
  run: RenderRun,
  sound: PlannedSound,
  deliver: (id: string, stream: EncodedStream) => Promise<void>,
): Promise<void> {
  const file = run.fileOf(`${sound.id}.m4a`);
  const targetLufs = run.request.settings.loudness_lufs;
  const warnings =
    (targetLufs === null ? null : await encodeLeveled(run, sound, targetLufs, file)) ??
    (await mixSound(run, sound, soundArguments, file)).warnings;
  await deliver(sound.id, { path: file, thumbnailPath: null, seconds: sound.seconds, warnings });
}

/** Returns null, without encoding, if the sound is silent or too short to measure. */
async function encodeLeveled(
  run: RenderRun,
  sound: PlannedSound,
  targetLufs: number,
  file: string,
): Promise<Warning[] | null> {
  const mixed = run.fileOf(`${sound.id}.w64`);
  const { report, warnings } = await mixSound(run, sound, mixArguments, mixed);
  const isLeveled = await levelSound(run, sound, { mixed, measured: report.loudness ?? SILENCE, targetLufs, file });
  return isLeveled ? warnings : null;
}

async function mixSound(
  run: RenderRun,
  sound: PlannedSound,
  argumentsOf: typeof soundArguments,
  file: string,
): Promise<{ report: RunReport; warnings: Warning[] }> {
  const { options, request, plan } = run;
  const { sources, settings } = request;
  const { seconds, trackIndex } = sound;
  const track = trackIndex === null ? null : (request.tracks[trackIndex] ?? null);
  const isAudible = isSourceAudible(sources, sound, settings);
  const origin = track === null ? "video" : isAudible ? "both" : "music";
  const share = settings.loudness_lufs === null ? 1 : 0.5;
  const encode = async (from: SoundSources) => {
    let report = EMPTY_REPORT;
    await runFfmpeg(options.tools, {
      step: "sound",
      mediaSeconds: seconds,
      args: argumentsOf(sound, { ...from, settings, kbps: plan.soundKbps, file }),
      signal: run.signal,
      ...sentencesOf(origin),
      onReport: (found) => (report = found),
      onProgress: (encoded) => run.note(sound.id, (share * encoded) / seconds),
    });
    return { report, warnings: findSoundDamage(report, soundInputs(sound, from, settings)) };
  };
  try {
    return await encode({ sources, track });
  } catch (error) {
    if (!isChangedSound(error)) throw error;
    const isPlayed = (file: MediaFile, i: number) =>
      isAudible && file.probe.audio !== null && sound.parts.some(({ source }) => source === i);
    return await encode({
      sources: await Promise.all(
        sources.map(async (file, i) => (isPlayed(file, i) ? await steadySound(run, file, "video") : file)),
      ),
      track: track && (await steadySound(run, track, "music")),
    });
  }
}

/** Most sounds are good after one, nearly all after three. */
const MAX_TRIALS = 8;

/**
 * Encodes and removes `mixed`, whose loudness is `measured`. Encodes again if a limiter or AAC missed the target.
 * Returns false, without encoding, for a sound that is silent or too short to measure. Throws what `runFfmpeg` throws.
 */
async function levelSound(
  run: RenderRun,
  sound: PlannedSound,
  { mixed, measured, targetLufs, file }: { mixed: string; measured: Loudness; targetLufs: number; file: string },
): Promise<boolean> {
  try {
    let level = firstLevel(measured, targetLufs);
    if (level === null) return false;
    const encodeAt = (at: SoundLevel) =>
      encode(run, sound, { mixed, level: at, isLimited: needsLimiter(measured, at), file });
    const tried: Trial[] = [];
    while (level !== null && tried.length < MAX_TRIALS) {
      await encodeAt(level);
      if (!needsCheck(measured, level)) return true;
      tried.push({ level, encoded: await measureLoudness(run, file, sound.seconds) });
      level = nextLevel(measured, tried, targetLufs);
    }
    const best = bestLevel(tried, targetLufs);
    if (best !== tried.at(-1)!.level) await encodeAt(best);
    return true;
  } finally {
    await rm(mixed, { force: true });
  }
}

async function encode(
  run: RenderRun,
  { id, seconds }: PlannedSound,
  options: { mixed: string; level: SoundLevel; isLimited: boolean; file: string },
): Promise<void> {
  await runFfmpeg(run.options.tools, {
    step: "level",
    mediaSeconds: seconds,
    args: levelArguments({ ...options, kbps: run.plan.soundKbps, seconds }),
    signal: run.signal,
    onProgress: (encoded) => run.note(id, (1 + encoded / seconds) / 2),
  });
}

async function measureLoudness(run: RenderRun, file: string, mediaSeconds: number): Promise<Loudness> {
  let found: Loudness | null = null;
  await runFfmpeg(run.options.tools, {
    step: "measure loudness",
    mediaSeconds,
    args: measureArguments(file),
    signal: run.signal,
    onReport: ({ loudness }) => (found = loudness),
  });
  return found ?? SILENCE;
}
