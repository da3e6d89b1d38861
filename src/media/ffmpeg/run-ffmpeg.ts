import { ClipmillError } from "#contract/errors.ts";
import type { Encoder } from "#contract/settings/system.ts";
import { launch } from "../launch/launch.ts";
import { allowDecoders } from "../plan/arguments/source-arguments.ts";
import { createProgressReader } from "../progress/progress.ts";
import { createReportReader, type RunReport } from "./run-report.ts";
import type { MediaTools } from "./tools.ts";

/** Low bytes of ffmpeg's negative error numbers. */
export const EXIT_CODES = {
  noSpace: 256 - 28,
  noMemory: 256 - 12,
  invalidData: 183,
  noDecoder: 8,
  notImplemented: 176,
  /** ENOSYS, by a library. */
  notInLibrary: 218,
  bug: 190,
  /** In a library such as zscale. */
  externalFailure: 187,
  outOfRange: 222,
  invalidArgument: 256 - 22,
} as const;

/** Texts of av_strerror and strerror. */
const BY_TEXT: Readonly<Record<string, number>> = {
  "No space left on device": EXIT_CODES.noSpace,
  "Cannot allocate memory": EXIT_CODES.noMemory,
  "Invalid data found when processing input": EXIT_CODES.invalidData,
  "Decoder not found": EXIT_CODES.noDecoder,
  "Not yet implemented in FFmpeg, patches welcome": EXIT_CODES.notImplemented,
  "Function not implemented": EXIT_CODES.notInLibrary,
  "Internal bug, should not have happened": EXIT_CODES.bug,
  "Generic error in an external library": EXIT_CODES.externalFailure,
  "Numerical result out of range": EXIT_CODES.outOfRange,
  "Invalid argument": EXIT_CODES.invalidArgument,
};

const WITH_REASON = /: ([A-Z][^:]*)$/;
/** ffmpeg 6.0 and older report success if the end of a file could not be written. */
const UNWRITTEN = /^Error writing trailer of /m;

/**
 * Returns the exit code of ffmpeg 6.1 and newer, the low byte of the error number. Older ones exit with 1 for any error:
 * the last line with a reason names it. Null for a signal.
 */
export function readExitCode(exitCode: number | null, tail: string): number | null {
  if (exitCode !== 1 && !(exitCode === 0 && UNWRITTEN.test(tail))) return exitCode;
  const reasons = tail.split("\n").map((line) => WITH_REASON.exec(line.trim())?.[1]);
  return BY_TEXT[reasons.findLast((reason) => reason !== undefined) ?? ""] ?? 1;
}

const DEFAULT_STALL_SECONDS = 60;
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;
/** Limit: base plus a multiple of the media duration. Fits eight 8K encoders on one slow core. */
const BASE_LIMIT_SECONDS = 900;
const LIMIT_PER_MEDIA_SECOND = 120;
/** 69: most decoded data had errors. */
const DAMAGED_EXIT_CODES = new Set([69, EXIT_CODES.invalidData]);
/** The last two: a decoder, filter or encoder rejects a value. */
const CONTENT_EXIT_CODES = new Set<number>([
  ...[EXIT_CODES.noDecoder, EXIT_CODES.notImplemented, EXIT_CODES.notInLibrary, EXIT_CODES.bug],
  ...[EXIT_CODES.externalFailure, EXIT_CODES.outOfRange, EXIT_CODES.invalidArgument],
]);
const CRASH_SIGNALS = new Set(["SIGSEGV", "SIGABRT", "SIGFPE", "SIGILL"]);

export type FfmpegTools = Pick<MediaTools, "ffmpeg" | "stallSeconds"> & {
  codecs: Pick<MediaTools["codecs"], "decoders">;
};

export type FfmpegRun = {
  step: string;
  args: readonly string[];
  /** Set to encode pictures: a GPU's encoder needs its driver's variables. */
  encoder?: Encoder;
  isInBackground?: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: (outSeconds: number) => void;
  onReport?: (report: RunReport) => void;
  /** For the time limit. */
  mediaSeconds?: number;
  damagedSentence?: string;
  /** Message for input that ffmpeg always fails on. */
  unrenderableSentence?: string;
};

/**
 * Returns the seconds written; null if ffmpeg reported none. Throws ClipmillError "cancelled", "no_space", "damaged"
 * (undecodable input), "too_large" (out of memory), "unrenderable" (ffmpeg fails on this content) or "render_failed"
 * (anything else, possibly transient), with the end of stderr as tail.
 */
export async function runFfmpeg(tools: FfmpegTools, run: FfmpegRun): Promise<number | null> {
  if (run.signal?.aborted) throw cancelled(run);
  const stall = watchForStall((tools.stallSeconds ?? DEFAULT_STALL_SECONDS) * 1_000);
  const limitSeconds = BASE_LIMIT_SECONDS + LIMIT_PER_MEDIA_SECOND * (run.mediaSeconds ?? 0);
  const deadline = AbortSignal.timeout(Math.min(Math.ceil(limitSeconds * 1_000), MAX_TIMER_MILLISECONDS));
  const args = [
    ...["-nostdin", "-hide_banner", "-loglevel", run.onReport ? "repeat+level+verbose" : "warning"],
    ...["-nostats", "-stats_period", "0.25"],
    ...["-progress", "pipe:1", "-y", ...allowDecoders(run.args, tools.codecs)],
  ];
  const { outputs, ended } = launch(tools.ffmpeg, {
    args,
    encoder: run.encoder,
    outputs: [1, 2],
    isInBackground: run.isInBackground ?? false,
    signal: AbortSignal.any([...(run.signal ? [run.signal] : []), stall.signal, deadline]),
  });
  const readProgress = createProgressReader();
  let outSeconds: number | null = null;
  const report = createReportReader();
  outputs[1]!.setEncoding("utf8").on("data", (chunk: string) => {
    for (const report of readProgress(chunk)) {
      stall.note(report.mark);
      if (report.outSeconds === null) continue;
      outSeconds = report.outSeconds;
      run.onProgress?.(report.outSeconds);
    }
  });
  outputs[2]!.setEncoding("utf8").on("data", (chunk: string) => {
    report.read(chunk);
  });
  const result = await ended;
  stall.stop();
  if (run.signal?.aborted) throw cancelled(run);
  const tail = report.tail();
  const exitCode = readExitCode(result.exitCode, tail);
  if (exitCode === 0) {
    run.onReport?.(report.report());
    return outSeconds;
  }

  const facts = {
    step: run.step,
    exitCode,
    signal: result.signal,
    cancelled: false,
    stalled: stall.signal.aborted || deadline.aborted,
  };
  const details = { facts, tail };
  if (exitCode === EXIT_CODES.noSpace || tail.includes("No space left on device")) {
    throw new ClipmillError("no_space", "There is no space left on the disk.", details);
  }
  if (exitCode === EXIT_CODES.noMemory) {
    throw new ClipmillError("too_large", "Rendering this video needs more memory than allowed.", details);
  }
  if (DAMAGED_EXIT_CODES.has(exitCode ?? 0) && !facts.stalled) {
    const message = run.damagedSentence ?? "The video file is damaged or incomplete.";
    throw new ClipmillError("damaged", message, details);
  }
  if (isContentError(facts)) {
    const message = run.unrenderableSentence ?? "The video could not be rendered. Convert it to H.264 and AAC first.";
    throw new ClipmillError("unrenderable", message, details);
  }
  throw new ClipmillError("render_failed", messageOf(facts, result.startErrorCode), details);
}

function isContentError({
  stalled,
  exitCode,
  signal,
}: {
  stalled: boolean;
  exitCode: number | null;
  signal: string | null;
}): boolean {
  if (stalled) return false;
  return CONTENT_EXIT_CODES.has(exitCode ?? 0) || CRASH_SIGNALS.has(signal ?? "");
}

function messageOf(
  { stalled, signal }: { stalled: boolean; signal: string | null },
  startErrorCode: string | null,
): string {
  if (stalled) return "Rendering stalled and was stopped.";
  if (startErrorCode === "ENOENT" || startErrorCode === "EACCES") return "ffmpeg could not be started.";
  if (signal === "SIGKILL") return describeExternalKill("Rendering");
  return "The video could not be rendered.";
}

/** For a kill from outside, most often by the system. */
export function describeExternalKill(work: string): string {
  return `${work} was killed (SIGKILL). The machine may be out of memory.`;
}

function cancelled(run: FfmpegRun): ClipmillError {
  return new ClipmillError("cancelled", "Rendering was canceled.", { facts: { step: run.step, cancelled: true } });
}

function watchForStall(milliseconds: number): { signal: AbortSignal; note(mark: string): void; stop(): void } {
  const controller = new AbortController();
  let lastMark = "";
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return {
    signal: controller.signal,
    note(mark) {
      if (mark !== lastMark) timer.refresh();
      lastMark = mark;
    },
    stop: () => clearTimeout(timer),
  };
}
