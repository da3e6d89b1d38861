import { ClipmillError, type ErrorDetails } from "#contract/errors.ts";
import { lastLines } from "#contract/last-lines.ts";
import { looksLikeVideoContainer, nameRejectedFormat } from "./formats/codecs.ts";
import { type InputReport, readInputReport } from "./input-report.ts";
import { requireWithinLimits, tooManyStreams } from "./probe-limits.ts";
import { type DescribedAudio, type DescribedVideo, type Description, describeInput } from "./probe-report.ts";
import { readLines } from "./read-lines.ts";
import { requireAllowedCodecs, unsupportedFormat } from "../ffmpeg/required-codecs.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { READ_SAFELY } from "../plan/arguments/source-arguments.ts";

/** Enough for tags of any reasonable size. */
const MAX_REPORT_CHARACTERS = 16 * 1024 ** 2;
const MAX_TAIL_CHARACTERS = 4_096;

export type Use = "video" | "music";

const ERRORS = {
  video: {
    code: "not_a_video",
    unfit: "This file is not a video.",
    damaged: "The video file is damaged or incomplete.",
  },
  music: {
    code: "not_audio",
    unfit: "This file has no sound that can be used as music.",
    damaged: "The music file is damaged or incomplete.",
  },
} as const;

export type OpenedInput = {
  report: InputReport;
  described: Description;
  stream: DescribedVideo | DescribedAudio;
  /** For a file that turns out to be unusable later. */
  errors: { unfit(): ClipmillError; damaged(): ClipmillError };
};

/**
 * Reads a file's header. Throws ClipmillError "not_a_video" or, for music, "not_audio" (not media), "unsupported_codec",
 * "damaged" (starts like media but is unreadable), "too_large", "render_failed" (ffmpeg was killed) or "cancelled".
 */
export async function openInput(
  tools: MediaTools,
  path: string,
  options: { use: Use; signal?: AbortSignal | undefined },
): Promise<OpenedInput> {
  const { use } = options;
  const { lines, facts } = await readInput(tools, path, options);
  const report = readInputReport(lines);
  const readDebugLog = async () => (await readInput(tools, path, { ...options, level: "debug" })).lines.join("\n");
  const rejectedFormat = report ? null : await nameRejectedFormat(path, facts.stderr, readDebugLog);
  if (rejectedFormat !== null) {
    throw unsupportedFormat(
      rejectedFormat,
      `Convert it to ${use === "video" ? "MP4" : "MP3 or M4A"}`,
      detailsOf(facts),
    );
  }
  // ffmpeg opened it, but it has too many streams or a forged report.
  if (!report) throw (await looksLikeVideoContainer(path)) ? damaged(use, facts) : unfit(use, facts);
  const described = describeInput(report, tools.codecs.decoders.split(","));
  requireAllowedCodecs(described, use, tools.codecs);
  const { video, audio } = described;
  const stream = video ?? audio;
  if (!stream) throw unfit(use, facts);
  if (video) requireWithinLimits({ video, durationSeconds: 0 });
  const errors = { unfit: () => unfit(use, facts), damaged: () => damaged(use, facts) };
  return { report, described, stream, errors };
}

async function readInput(
  tools: MediaTools,
  path: string,
  { use, signal, level = "info" }: Parameters<typeof openInput>[2] & { level?: "info" | "debug" },
): Promise<{ lines: string[]; facts: ReportFacts }> {
  const lines: string[] = [];
  let characters = 0;
  const read = (line: string): void => {
    lines.push(line);
    characters += line.length + 1;
    if (characters > MAX_REPORT_CHARACTERS) throw damaged(use, { exitCode: null, stderr: "" });
  };
  const args = ["-loglevel", level, ...READ_SAFELY, "-i", `file:${path}`];
  const exitCode = await readLines(tools, path, args, { 2: read }, signal);
  const facts = { exitCode, stderr: lines.slice(-100).join("\n").slice(-MAX_TAIL_CHARACTERS) };
  // ffmpeg crashed or timed out.
  if (exitCode === null) throw damaged(use, facts);
  // Damage has the same exit code; the file's own tags are indented.
  if (lines.some((line) => /^\[.*max_streams/.test(line))) throw tooManyStreams(detailsOf(facts));
  return { lines, facts };
}

function unfit(use: Use, facts: ReportFacts): ClipmillError {
  return new ClipmillError(ERRORS[use].code, ERRORS[use].unfit, detailsOf(facts));
}

function damaged(use: Use, facts: ReportFacts): ClipmillError {
  return new ClipmillError("damaged", ERRORS[use].damaged, detailsOf(facts));
}

type ReportFacts = { exitCode: number | null; stderr: string };

/** Drops indented lines, the file's own tags, which may contain a place or a name. */
function detailsOf({ exitCode, stderr }: ReportFacts): ErrorDetails {
  return { facts: { exitCode }, tail: lastLines(stderr.replaceAll(/^ {4}.*\n?/gm, ""), MAX_TAIL_CHARACTERS) };
}
