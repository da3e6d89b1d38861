/** From the report of a run to the warnings of the streams that it made. */
import { ClipmillError } from "#contract/errors.ts";
import { pictureDamaged, soundDamaged, type Warning } from "#contract/jobs/warnings.ts";
import { leadSeconds } from "../plan/arguments/picture-arguments.ts";
import type { Cut, MediaFile } from "../plan/render-plan.ts";
import type { Probe } from "../probe/probe-report.ts";
import { requireAudio, requireVideo } from "../render/required-streams.ts";
import type { FfmpegRun } from "../ffmpeg/run-ffmpeg.ts";
import type { DecodedStream, RunReport } from "../ffmpeg/run-report.ts";
import { copyDamage, isBeyondUse, pictureDamage, soundDamage } from "./stream-damage.ts";

/** Whose sound a run hears: the video's, the music's, or both mixed. */
export type Heard = "video" | "music" | "either";

/** Returns the warnings of pictures encoded from these stretches. Throws ClipmillError "damaged" when hardly any frame could be decoded. */
export function findPictureDamage(report: RunReport, source: Probe, cuts: readonly Cut[]): Warning[] {
  const video = requireVideo(source);
  const decoded = findStream(report, 0, video.index);
  if (!decoded) return [];
  if (isBeyondUse(decoded)) throw beyondUse("The video file is damaged or incomplete.", decoded);
  const { framesPerSecond } = video;
  const seconds = cuts.reduce((sum, cut) => sum + cut.seconds, 0);
  const damage = pictureDamage(decoded, {
    framesPerSecond,
    leadSeconds: leadSeconds(source, cuts[0]!.startSeconds),
    // other containers may hold a varying rate
    ...(source.formatName === "mpegts" ? { expectedFrames: seconds * framesPerSecond } : {}),
  });
  return damage ? [pictureDamaged(damage.share)] : [];
}

/** Returns for how long the picture's packets that could not be decoded last. */
export function undecodedSeconds(report: RunReport, source: Probe): number {
  const { index, framesPerSecond } = requireVideo(source);
  return (findStream(report, 0, index)?.errors ?? 0) / framesPerSecond;
}

/** Returns the warnings of a picture that was copied: packets that no player can read are left out. */
export function findCopyDamage(report: RunReport, source: Probe): Warning[] {
  const video = requireVideo(source);
  const read = findStream(report, 0, video.index)?.packets;
  const written = report.written.get("0:0");
  if (read === undefined || written === undefined) return [];
  const damage = copyDamage(read, written, video.framesPerSecond);
  return damage ? [pictureDamaged(damage.share)] : [];
}

/**
 * Returns the warnings of a sound made of the source's, the track's, or both. Throws ClipmillError "damaged" when hardly any of
 * either could be decoded.
 */
export function findSoundDamage(
  report: RunReport,
  { source, track }: { source: MediaFile; track: MediaFile | null },
  heard: Heard,
): Warning[] {
  const inputs = [...(heard === "music" ? [] : [source]), ...(track ? [track] : [])];
  return inputs.flatMap((file, input) => {
    const audio = requireAudio(file.probe);
    const of = file === source ? "video" : "music";
    const decoded = findStream(report, input, audio.index);
    if (!decoded) return [];
    if (isBeyondUse(decoded)) throw beyondUse(sentencesOf(of).damagedSentence, decoded);
    const damage = soundDamage(decoded, audio.sampleRate);
    return damage ? [soundDamaged(of, damage.share)] : [];
  });
}

/** Returns what the operator reads when a sound cannot be made, by what is heard in it. */
export function sentencesOf(heard: Heard): Required<Pick<FfmpegRun, "damagedSentence" | "unrenderableSentence">> {
  const sound = {
    video: "The sound of the video",
    music: "The music file",
    either: "The music file, or the sound of the video,",
  }[heard];
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
