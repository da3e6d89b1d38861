import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { EMPTY_REPORT, type RunReport } from "../ffmpeg/run-report.ts";
import { findSoundDamage, sentencesOf } from "../health/find-damage.ts";
import { isChangedSound, steadySound } from "../health/steady-sound.ts";
import { isSourceAudible, mixArguments, soundArguments } from "../plan/arguments/sound-arguments.ts";
import { SILENCE } from "../plan/loudness.ts";
import type { MediaFile, PlannedSound } from "../plan/render-plan.ts";
import { levelSound } from "./level-sound.ts";
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
  await deliver(sound.id, { path: file, thumbnailPath: null, seconds: sound.cut.seconds, warnings });
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
  const { source, settings } = request;
  const track = sound.trackIndex === null ? null : (request.tracks[sound.trackIndex] ?? null);
  const isAudible = isSourceAudible(source, track, settings);
  const origin = track === null ? "video" : isAudible ? "both" : "music";
  const share = settings.loudness_lufs === null ? 1 : 0.5;
  const encode = async (from: { source: MediaFile; track: MediaFile | null }) => {
    let report = EMPTY_REPORT;
    await runFfmpeg(options.tools, {
      step: "sound",
      mediaSeconds: sound.cut.seconds,
      args: argumentsOf(sound, { ...from, settings, kbps: plan.soundKbps, file }),
      signal: run.signal,
      ...sentencesOf(origin),
      onReport: (found) => (report = found),
      onProgress: (seconds) => run.note(sound.id, (share * seconds) / sound.cut.seconds),
    });
    return { report, warnings: findSoundDamage(report, from, { origin, sound }) };
  };
  try {
    return await encode({ source, track });
  } catch (error) {
    if (!isChangedSound(error)) throw error;
    return await encode({
      source: isAudible ? await steadySound(run, source) : source,
      track: track && (await steadySound(run, track)),
    });
  }
}
