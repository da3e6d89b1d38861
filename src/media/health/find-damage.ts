import { ClipmillError } from "#contract/errors.ts";
import { pictureDamaged, soundDamaged, type Warning } from "#contract/jobs/outputs/warnings.ts";
import type { FfmpegRun } from "../ffmpeg/run-ffmpeg.ts";
import type { DecodedStream, RunReport } from "../ffmpeg/run-report.ts";
import { leadSeconds } from "../plan/arguments/picture-arguments.ts";
import type { SoundInput } from "../plan/arguments/sound-arguments.ts";
import type { Cut } from "../plan/render-plan.ts";
import { lostSecondsWithin } from "../probe/find-losses.ts";
import type { Probe } from "../probe/probe-report.ts";
import { requireAudio, requireVideo } from "../render/required-streams.ts";

export type SoundOrigin = "video" | "music" | "both";

/**
 * Returns warnings by cut, of a source that plays at `speed`; damage found by decoding counts for all. Throws
 * ClipmillError "damaged" if hardly any frame could be decoded.
 */
export function findPictureDamage(report: RunReport, source: Probe, cuts: readonly Cut[], speed = 1): Warning[][] {
  const video = requireVideo(source);
  const decoded = findStream(report, 0, video.index);
  if (!decoded) return cuts.map(() => []);
  if (isUnusable(decoded)) throw beyondUse("The video file is damaged or incomplete.", decoded);
  const lostSeconds = cuts.map(({ startSeconds, seconds }) => {
    const fromSeconds = startSeconds * speed + video.timing.offsetSeconds;
    return lostSecondsWithin(video.losses, { fromSeconds, toSeconds: fromSeconds + seconds * speed });
  });
  const undecoded = undecodedPicture(decoded, {
    framesPerSecond: video.framesPerSecond,
    leadSeconds: leadSeconds(source, cuts[0]!.startSeconds * speed),
  });
  // The decoder finds only part of the known losses.
  const isLost = lostSeconds.reduce((sum, seconds) => sum + seconds, 0) > undecoded.seconds;
  const damages = cuts.map((cut, i) =>
    isLost ? { share: lostSeconds[i]! / (cut.seconds * speed), seconds: lostSeconds[i]! } : undecoded,
  );
  return damages.map((damage) => (isSeen(damage) ? [pictureDamaged(damage.share)] : []));
}

export function undecodedSeconds(report: RunReport, source: Probe): number {
  const { index, framesPerSecond } = requireVideo(source);
  return (findStream(report, 0, index)?.errors ?? 0) / framesPerSecond;
}

/** Copies leave out unreadable frames. Throws ClipmillError "damaged" if hardly any of the sound can be decoded. */
export function findCopyDamage(report: RunReport, source: Probe, options: { isSoundCopied: boolean }): Warning[] {
  const video = requireVideo(source);
  const read = findStream(report, 0, video.index)?.packets;
  const written = report.written.get("0:0");
  const damage = read === undefined || written === undefined ? null : copyDamage(read, written, video.framesPerSecond);
  const whole = { fromSeconds: 0, seconds: source.durationSeconds };
  return [
    ...(damage && isSeen(damage) ? [pictureDamaged(damage.share)] : []),
    ...(options.isSoundCopied ? findStreamDamage(report, 0, { of: "video", file: source, stretch: whole }) : []),
  ];
}

/** Throws ClipmillError "damaged" if hardly any of a part's or the track's sound could be decoded. */
export function findSoundDamage(report: RunReport, inputs: readonly SoundInput[]): Warning[] {
  return inputs.flatMap(({ of, file, ...stretch }, number) =>
    findStreamDamage(report, number, { of, file: file.probe, stretch }),
  );
}

function findStreamDamage(
  report: RunReport,
  input: number,
  { of, file, stretch }: { of: "video" | "music"; file: Probe; stretch: { fromSeconds: number; seconds: number } },
): Warning[] {
  const audio = requireAudio(file);
  const decoded = findStream(report, input, audio.index);
  if (!decoded) return [];
  if (isUnusable(decoded)) throw beyondUse(sentencesOf(of).damagedSentence, decoded);
  const { fromSeconds, seconds } = stretch;
  const lostSeconds = lostSecondsWithin(audio.losses, { fromSeconds, toSeconds: fromSeconds + seconds });
  const damage = soundDamage(decoded, { sampleRate: audio.sampleRate, seconds, lostSeconds });
  return damage ? [soundDamaged(of, damage.share)] : [];
}

export function sentencesOf(
  origin: SoundOrigin,
): Required<Pick<FfmpegRun, "damagedSentence" | "unrenderableSentence">> {
  const sound = {
    video: "The sound of the video",
    music: "The music file",
    both: "The music file, or the sound of the video,",
  }[origin];
  return {
    damagedSentence: `${sound} is damaged or incomplete.`,
    unrenderableSentence: `${sound} cannot be decoded. Convert it to AAC first.`,
  };
}

function findStream({ decoded }: RunReport, input: number, stream: number): DecodedStream | undefined {
  return decoded.find((one) => one.input === input && one.stream === stream);
}

function beyondUse(sentence: string, facts: DecodedStream): ClipmillError {
  return new ClipmillError("damaged", sentence, { facts });
}

type Damage = { share: number; seconds: number };

/** ffmpeg's own limit, which it does not check if a run stops early. */
const MAX_ERRORS = 2 / 3;
/** Less goes unnoticed. Clips cut from a longer video lose two or three frames at their start. */
const MIN_PICTURE_SECONDS = 0.2;
/** Five frames of AAC. Shorter gaps are at most a click; one or two lost frames at a cut are usual. */
const MIN_SOUND_SECONDS = 0.1;

function isUnusable({ frames, errors }: DecodedStream): boolean {
  return errors / Math.max(1, frames + errors) > MAX_ERRORS;
}

function isSeen({ seconds }: Damage): boolean {
  return seconds >= MIN_PICTURE_SECONDS;
}

/** Seeking lands between keyframes, so the dropped `leadSeconds` may be damaged. */
function undecodedPicture(
  { frames, corruptFrames, errors }: DecodedStream,
  { framesPerSecond, leadSeconds }: { framesPerSecond: number; leadSeconds: number },
): Damage {
  const lead = leadSeconds * framesPerSecond;
  const damaged = Math.max(0, corruptFrames + errors - lead);
  return { share: Math.min(1, damaged / (frames + errors - lead)), seconds: damaged / framesPerSecond };
}

function copyDamage(read: number, written: number, framesPerSecond: number): Damage {
  return { share: (read - written) / read, seconds: (read - written) / framesPerSecond };
}

/** Returns null if the damage is inaudible. `lostSeconds` are missing from the file. Looped music is decoded once. */
function soundDamage(
  { frames, errors, samples }: DecodedStream,
  options: { sampleRate: number; seconds: number; lostSeconds: number },
): Damage | null {
  if (frames === 0) return null;
  const decodedSeconds = samples / options.sampleRate;
  const seconds = (errors / frames) * decodedSeconds + options.lostSeconds;
  if (seconds < MIN_SOUND_SECONDS) return null;
  return { share: Math.min(1, seconds / Math.min(options.seconds, decodedSeconds + seconds)), seconds };
}
