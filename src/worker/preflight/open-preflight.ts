import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { linksIn } from "#contract/sources/links-in-text.ts";
import { parseFolderLink, parseVideoLink } from "#contract/sources/links.ts";
import type { PreflightVideo } from "#contract/sources/preflight.ts";
import { linkError } from "#contract/sources/link-error.ts";
import { createRecentMap } from "#ground/recent-map.ts";
import { createSlots } from "#ground/slots.ts";
import { untilAborted } from "#ground/until-aborted.ts";
import type { VideoFacts } from "#media/excerpt/describe-excerpt.ts";
import { type Preflight, readAcceptedSources } from "#operations/sources/prepare-sources.ts";
import type { WorkerContext } from "../worker-context.ts";
import { checkLink } from "./check-link.ts";
import type { CheckedFile } from "./describe-file.ts";
import type { CheckedLink } from "./key-of-check.ts";
import { type CheckLimits, type CheckRun, createLinkChecks, type LinkCheck } from "./link-checks.ts";

/** After this time, a call returns as soon as any check is done: a slow host must not delay others. */
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_500;
const FRESH_MS = 5 * 60_000;
/** Afterwards, an operator who has shared the file can check it again. */
const FRESH_PROBLEM_MS = 15_000;
const MAX_FFMPEGS = 2;
/** Each needs a second of CPU to start. */
const MAX_YT_DLPS = 2;
/** One call's files waiting for ffmpeg, mostly half a megabyte each. */
const MAX_EXCERPTS = 100;
const MAX_KNOWN = 3_000;

type OpenedPreflight = { check: Preflight; stop(): Promise<void> };

/** Deletes `root`, so no other process may use it. */
export async function openPreflight(
  worker: Pick<WorkerContext, "context" | "tools"> & { log: Logger },
  root: string,
  limits: CheckLimits = {},
): Promise<OpenedPreflight> {
  await rm(root, { recursive: true, force: true });
  const known = createRecentMap<VideoFacts>(MAX_KNOWN);
  const checker = {
    ...worker,
    scratchRoot: root,
    excerpts: createSlots(MAX_EXCERPTS),
    media: createSlots(MAX_FFMPEGS),
    downloaders: createSlots(MAX_YT_DLPS),
    known,
  };
  const check = (link: CheckedLink, run: CheckRun): Promise<CheckedFile> =>
    checkLink(checker, link, run).catch((error: unknown) => {
      run.signal.throwIfAborted();
      return { name: null, sizeBytes: null, video: null, problem: toProblem(error, worker.log) };
    });
  const checks = createLinkChecks({ check, freshMsOf }, limits);
  return {
    async check(texts, { accountId, signal }) {
      const accepted = await readAcceptedSources(worker.context);
      const links = texts.map((text) => parse(text, accepted));
      const asked = checks.ask(
        links.filter((link) => link !== null),
        accountId,
      );
      await waitFor(asked, signal);
      const remaining = asked.values();
      const videos = links.map((link, i) =>
        link ? toVideo(texts[i]!, remaining.next().value!) : rejectedVideo(texts[i]!),
      );
      return { videos };
    },
    stop: () => checks.stop(),
  };
}

function parse(text: string, accepted: AcceptedSources): CheckedLink | null {
  const [link = "", ...others] = linksIn(text);
  if (others.length > 0) return null;
  const file = parseVideoLink(link, accepted);
  if (file) return { ...file, isFolder: false };
  const folder = parseFolderLink(link, accepted);
  return folder && { ...folder, isFolder: true };
}

/** Throws ClipmillError "cancelled" on abort. */
async function waitFor(checks: readonly LinkCheck<unknown>[], signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  const timer = (ms: number) => delay(ms, undefined, { signal: waiting.signal, ref: false }).catch(() => {});
  const unfinished = checks.filter(({ result }) => result === null);
  try {
    const all = Promise.all(unfinished.map(({ done }) => done));
    await untilAborted(Promise.race([all, timer(MIN_WAIT_MS)]), signal);
    if (unfinished.length === 0 || checks.some(({ result }) => result !== null)) return;
    const any = Promise.race(unfinished.map(({ done }) => done));
    await untilAborted(Promise.race([any, timer(MAX_WAIT_MS - MIN_WAIT_MS)]), signal);
  } catch (error) {
    throw signal.aborted ? new ClipmillError("cancelled", "The check was canceled.") : error;
  } finally {
    waiting.abort();
  }
}

const NOTHING_KNOWN = { name: null, size_bytes: null, ...toFacts(null) };

function toVideo(link: string, { result }: LinkCheck<CheckedFile>): PreflightVideo {
  if (result === null) return { link, state: "pending", ok: false, ...NOTHING_KNOWN, problem: null };
  const { name, sizeBytes, video, problem, files } = result;
  return {
    ...{ link, state: problem ? "problem" : "ready", ok: problem === null && !files },
    ...{ name, size_bytes: sizeBytes, ...toFacts(video) },
    ...(files && { files }),
    problem: toWire(problem),
  };
}

function toWire(problem: ClipmillError | null): PreflightVideo["problem"] {
  return problem && { code: problem.code, message: withRemedy(problem) };
}

function toFacts(video: VideoFacts | null) {
  return {
    duration_seconds: video?.durationSeconds ?? null,
    width: video?.width ?? null,
    height: video?.height ?? null,
    has_sound: video?.hasSound ?? null,
    sound_problem: toWire(video?.soundProblem ?? null),
    thumbnail_url: video?.thumbnail ? `data:image/jpeg;base64,${video.thumbnail.toString("base64")}` : null,
  };
}

function rejectedVideo(link: string): PreflightVideo {
  const { code, message } = linkError(link, "This is not a link to a video. Use a link to a Google Drive file.");
  return { link, state: "problem", ok: false, ...NOTHING_KNOWN, problem: { code, message } };
}

function freshMsOf({ problem }: CheckedFile): number {
  return problem ? FRESH_PROBLEM_MS : FRESH_MS;
}

function toProblem(error: unknown, log: Logger): ClipmillError {
  if (error instanceof ClipmillError) return error;
  log.error({ err: error }, "could not check a link");
  return new ClipmillError("internal", "This link could not be checked. Check it again later.", { cause: error });
}

/** For messages that only say what is wrong. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  bad_link: "Check the link.",
  not_shared: "Share it with anyone who has the link, or use another file.",
  source_not_found: "Upload it again, or use another file.",
  not_a_video: "Use a video file instead.",
  damaged: "Upload the video again.",
  too_large: "Use a smaller version.",
};

/** Appends what to do. Messages of two sentences already have it. */
function withRemedy({ code, message }: Pick<ClipmillError, "code" | "message">): string {
  const remedy = REMEDIES[code];
  return remedy === undefined || message.includes(". ") ? message : `${message} ${remedy}`;
}
