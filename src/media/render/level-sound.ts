import { rm } from "node:fs/promises";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { levelArguments, measureArguments } from "../plan/arguments/sound-arguments.ts";
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
import type { PlannedSound } from "../plan/render-plan.ts";
import type { RenderRun } from "./render-run.ts";

/** Most sounds are good after one, nearly all after three. */
const MAX_TRIALS = 8;

/**
 * Encodes and removes `mixed`, whose loudness is `measured`. Encodes again if a limiter or AAC missed the target.
 * Returns false, without encoding, for a sound that is silent or too short to measure. Throws what `runFfmpeg` throws.
 */
export async function levelSound(
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
      tried.push({ level, encoded: await measureLoudness(run, file, sound.cut.seconds) });
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
  { id, cut: { seconds } }: PlannedSound,
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
