import type { RowSettings } from "#contract/job-settings/job-settings.ts";
import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import type { CostLimits, VideoStage } from "#contract/jobs/jobs.ts";
import type { Failure } from "#contract/jobs/failures.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import type { Measured } from "#ground/checksum.ts";
import type { TextDrawer } from "#media/captions/drawing/text-drawer.ts";
import type { VideoTask } from "#queue/open-queue.ts";
import type { Context } from "../../context.ts";
import {
  type ClipTranscript,
  type ObtainedTranscript,
  keepFileTranscript,
  obtainTranscript,
} from "../../transcripts/obtain-transcript.ts";
import { canUseModel } from "../../settings/model-access.ts";
import { captionsOfNextRows } from "../../translations/captions-of-next-rows.ts";
import { measureWith } from "../../translations/measure-translations.ts";
import { type TextsToTranslate, translateTexts } from "../../translations/translate-texts.ts";
import { countClaimingWorkers } from "../../fleet/list-workers.ts";
import type { Wait } from "../../hosts/find-cooldown.ts";
import { createContact } from "../../hosts/contact-host.ts";
import { createHostRecords, type HostRecords } from "../../hosts/host-records.ts";
import { type PendingOutput, type PlannedOutput, planOutputs } from "../create/plan-outputs.ts";
import { postponeVideo } from "../order/postpone-video.ts";
import { findKeptFile } from "../proof/kept-files.ts";
import { type ClaimedVideo, claimVideo } from "./claim-video.ts";
import { type CompletedOutput, completeOutput, findStoredOutput, type StoredOutput } from "./complete-output.ts";
import { endVideo, type VideoEnd } from "./end-video.ts";
import { recordSubtitles } from "./output-subtitles.ts";
import { reportVideo } from "./report-video.ts";

/** What a video turned out to be. `pass` are the file names of an assembled video's parts. */
type VideoFacts = { name: string; durationSeconds: number; pass: Record<string, string> | null };

/** `share` (0-1) is the video's, `outputs` those of outputs in progress, by id. */
export type VideoProgress = { stage: VideoStage; share: number; outputs: ReadonlyMap<string, number> };

/**
 * What an attempt at a video reads and writes besides the worker's own files. Everything but `claim` counts only while
 * it is the latest attempt. Writes are idempotent.
 */
export type VideoRecords = HostRecords & {
  /** Like claimVideo. */
  claim(): Promise<ClaimedVideo | null>;
  /** Like planOutputs. `costMinutes` are minutes of encoding. */
  plan(facts: VideoFacts, outputs: PlannedOutput[], costMinutes: number): Promise<PendingOutput[] | null>;
  /** Another output's file with the same content. */
  findStored(contentKey: string): Promise<StoredOutput | null>;
  /** A file kept through a change of the job. */
  findKept(contentKey: string): Promise<(StoredOutput & { warnings: Warning[] }) | null>;
  recordSubtitles(contentKey: string, srt: string): Promise<void>;
  /** Moves a local file into storage. */
  storeFile(key: string, fromPath: string, options: StoreOptions): Promise<Measured>;
  removeFile(key: string): Promise<void>;
  /** Like completeOutput. */
  complete(output: CompletedOutput): Promise<string | null>;
  report(progress: VideoProgress): Promise<void>;
  /** Like endVideo. */
  end(how: VideoEnd): Promise<boolean>;
  /** Like postponeVideo. */
  postpone(failure: Failure, wait: Wait | null): Promise<boolean>;
  /** Whether speech can be transcribed. */
  canTranscribe(): Promise<boolean>;
  /** Like obtainTranscript. */
  obtainTranscript(of: ClipTranscript): Promise<ObtainedTranscript | null>;
  /** Like keepFileTranscript. */
  keepFileTranscript(of: ClipTranscript, read: () => Promise<readonly TranscriptLine[]>): Promise<ObtainedTranscript>;
  /** Like translateTexts. */
  translate(wanted: TextsToTranslate, signal: AbortSignal): Promise<Map<string, string>>;
  /** Like captionsOfNextRows. None for a worker that is given only its own videos. */
  captionsOfNextRows(after: { position: number; row: RowSettings }): Promise<string[]>;
  /** Whether another worker claims videos. */
  hasOtherWorkers(): Promise<boolean>;
};

type StoreOptions = { signal: AbortSignal; measured?: Measured | null };

export function createVideoRecords(
  worker: {
    context: Pick<Context, "db" | "queue" | "storage" | "secrets" | "openAi" | "hosts">;
    drawer: Pick<TextDrawer, "measureWords">;
    readNow: () => Promise<number>;
    costLimits: CostLimits;
  },
  task: VideoTask & { attempt: number },
): VideoRecords {
  const { context, costLimits: limits } = worker;
  const { jobId, videoId, attempt } = task;
  const attemptRef = { jobId, videoId, attempt };
  const hosts = createHostRecords(worker, videoId);
  return {
    ...hosts,
    claim: () => claimVideo(context, task, attempt),
    plan: (facts, outputs, minutes) => planOutputs(context, { ...attemptRef, ...facts }, outputs, { minutes, limits }),
    findStored: (contentKey) => findStoredOutput(context, jobId, contentKey),
    findKept: (contentKey) => findKeptFile(context, jobId, contentKey),
    recordSubtitles: (contentKey, srt) => recordSubtitles(context, jobId, contentKey, srt),
    storeFile: (key, fromPath, options) => context.storage.put(key, fromPath, options),
    removeFile: (key) => context.storage.removeAll(key),
    complete: (output) => completeOutput(context, attemptRef, output),
    report: (progress) => reportVideo(context, { ...attemptRef, ...progress }),
    end: (how) => endVideo(context, attemptRef, how),
    postpone: (failure, wait) => postponeVideo(context, task, failure, wait),
    canTranscribe: () => canUseModel(context, "transcription"),
    obtainTranscript: (of) => obtainTranscript(context, { ...of, jobId, videoId }),
    keepFileTranscript: (of, read) => keepFileTranscript(context, { ...of, jobId, videoId }, read),
    translate(wanted, signal) {
      const measure = measureWith(worker.drawer, wanted.language, signal);
      return translateTexts(context, wanted, { measure, signal, contact: createContact(hosts, signal) });
    },
    captionsOfNextRows: (after) => captionsOfNextRows(context.db, { jobId, ...after }),
    hasOtherWorkers: async () => (await countClaimingWorkers(context)) > 1,
  };
}
