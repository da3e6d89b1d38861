/** The requests of workers without the database. docs/operations/workers-by-token.md describes the protocol. */
import { z } from "zod";
import { FAILURE_STEPS, FAILURES, type FailureCode } from "../jobs/failures.ts";
import { ConformanceCheck, ConformanceReport } from "../jobs/outputs/conformance.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { Warning } from "../jobs/outputs/warnings.ts";
import { CONCURRENCY_RANGE, PauseReason, WorkerMedia } from "../settings/system.ts";
import { HostName } from "../sources/cooldowns.ts";
import { TRANSCRIPT_LIMITS, transcriptLinesSchema } from "../transcripts/transcripts.ts";

export const WORKER_PATH = "/worker/v1";
/** The longest time that the server holds a `wait` request. */
export const MAX_WAIT_SECONDS = 25;
/** Request header: the server must have the worker's version. */
export const VERSION_HEADER = "clipmill-version";
/** Response header: the server accepts no more requests from this worker. */
export const REJECTED_HEADER = "clipmill-rejected";
/** Most texts that a request for translations names to be translated with its own, if there is room. */
export const MOST_AHEAD = 40;
/** Request header with an uploaded file's checksum, in hex. */
export const SHA256_HEADER = "clipmill-sha256";

const MAX_LINKS = 1_000;
const MAX_OUTPUTS = 10_000;

const text = z.string().max(10_000);
const link = z.string().max(4_000);
/** As a part of a storage key. Without its ending, it could name another video's cover or folder. */
const outputName = z
  .string()
  .max(1_000)
  .regex(/^(?![.\s])[^\\/:*?"<>|\p{Cc}]+\.mp4$/iu);
const storageKey = z.string().max(1_024);
const bytes = z.number().int().min(0);
const concurrency = z.number().int().min(CONCURRENCY_RANGE.least).max(CONCURRENCY_RANGE.most);

const start = {
  id: z.uuid(),
  host: z.string().min(1).max(253),
  pid: z.number().int().min(0),
  concurrency,
  canDrain: z.boolean(),
  media: WorkerMedia,
};

export const joinSchema = z.object({ ...start, formerId: z.uuid().nullable() });

export const heartbeatSchema = z.object({
  ...start,
  name: z.string().min(1).max(300),
  doing: z.array(z.uuid()).max(CONCURRENCY_RANGE.most),
  speed: z.number().nullable(),
  pauseReasons: z.array(PauseReason),
  disk: z.enum(["ok", "low", "full"]).nullable(),
  known: z.object({ isPaused: z.boolean(), isDraining: z.boolean(), wantedConcurrency: concurrency.nullable() }),
});

export const leaveSchema = z.object({ id: z.uuid() });
export const waitSchema = z.object({ seconds: z.number().min(0).max(MAX_WAIT_SECONDS) });
export const claimSchema = z.object({ links: z.array(link).max(MAX_LINKS) });
export const remainingSchema = z.object({ videoIds: z.array(z.uuid()).max(CONCURRENCY_RANGE.most) });

const claimRef = { videoId: z.uuid(), retryCount: z.number().int().min(0) };
export const claimRefSchema = z.object({ videoId: z.uuid(), retryCount: z.coerce.number().int().min(0) });
export const renewSchema = z.object({ claims: z.array(z.object(claimRef)).max(CONCURRENCY_RANGE.most) });

export const endSchema = z.discriminatedUnion("how", [
  z.object({ how: z.literal("complete") }),
  z.object({ how: z.literal("undo") }),
  z.object({
    how: z.literal("fail"),
    attempt: z.number().int().min(1),
    retryAfterSeconds: z.number().min(0).nullable(),
  }),
]);

const failure = z.object({
  code: z.enum(Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]),
  step: z.enum(FAILURE_STEPS).nullable(),
  message: text,
  tail: text.nullable(),
});

const nothing = z.object({});
const measured = { sizeBytes: bytes, crc32: z.number().int().min(0) };
const sha256 = z.string().regex(/^[\da-f]{64}$/);

const clipTranscript = z.object({
  clip: z
    .number()
    .int()
    .min(0)
    .max(JOB_LIMITS.slots - 1),
  content: z.string().max(200),
  name: z.string().max(4_000),
  link,
  durationSeconds: z.number().min(0),
});
/** Captions, or lines of transcripts. */
const translated = z.array(z.string().max(100_000));

/** The texts of the API's schemas have no limit: elsewhere, only Clipmill writes them. */
const sentence = z.string().max(2_000);
const warning = Warning.unwrap().extend({ message: sentence });
const check = ConformanceCheck.unwrap().extend({ found: sentence, expected: sentence });
const conformance = ConformanceReport.unwrap().extend({ rules_read_on: sentence, checks: z.array(check).max(100) });

/** An attempt's operations, by name. The claim is in the URL. */
export const RECORD_SCHEMAS = {
  readNow: nothing,
  readHost: z.object({ host: HostName }),
  recordHostResponse: z.object({ host: HostName }),
  releaseProbe: z.object({ host: HostName }),
  recordHostFailure: z.object({
    failure: z.object({ host: HostName, reason: text, retryAfterSeconds: z.number().nullable() }),
  }),
  claim: nothing,
  plan: z.object({
    facts: z.object({
      name: z.string().max(20_000),
      durationSeconds: z.number().min(0),
      pass: z.record(z.string(), text).nullable(),
    }),
    outputs: z
      .array(
        z.object({
          variant: z.number().int().min(0),
          segment: z.number().int().min(0),
          name: outputName,
          caption: z.string().max(100_000).nullable(),
          track: z.string().max(4_000).nullable(),
          nameIfTaken: outputName.exactOptional(),
          trackLink: link.nullable().exactOptional(),
          window: z.object({ startSeconds: z.number(), endSeconds: z.number() }).nullable().exactOptional(),
        }),
      )
      .max(MAX_OUTPUTS),
    costMinutes: z.number().min(0),
  }),
  findStored: z.object({ contentKey: z.string().max(200) }),
  findKept: z.object({ contentKey: z.string().max(200) }),
  recordSubtitles: z.object({ contentKey: z.string().max(200), srt: z.string().max(5_000_000) }),
  removeFile: z.object({ key: storageKey }),
  complete: z.object({
    id: z.uuid(),
    warnings: z.array(warning).max(100),
    contentKey: z.string().min(1).max(200),
    storageKey,
    thumbnailKey: storageKey,
    cover: z.object(measured).nullable(),
    durationSeconds: z.number().min(0),
    width: z.number().int().min(1),
    height: z.number().int().min(1),
    ...measured,
    sha256: sha256.nullable(),
    conformance: conformance.nullable(),
  }),
  report: z.object({
    stage: z.enum(["Fetching", "Rendering"]),
    share: z.number(),
    outputs: z.array(z.tuple([z.uuid(), z.number()])).max(MAX_OUTPUTS),
  }),
  end: z.discriminatedUnion("status", [
    z.object({ status: z.literal("Completed") }),
    z.object({ status: z.literal("Sampled"), share: z.number().min(0).max(1) }),
    z.object({ status: z.literal("Cancelled") }),
    z.object({
      status: z.literal("Failed"),
      failure,
      outputFailures: z.array(z.tuple([z.uuid(), z.number().int().min(0)])).max(MAX_OUTPUTS),
      /** Outputs that failed for the same reason share one. */
      reasons: z.array(failure).max(MAX_OUTPUTS),
    }),
  ]),
  postpone: z.object({
    failure,
    wait: z
      .union([
        z.object({ host: HostName }),
        z.object({ seconds: z.number().min(0), isForTranscript: z.literal(true).exactOptional() }),
      ])
      .nullable(),
  }),
  canTranscribe: nothing,
  obtainTranscript: clipTranscript,
  keepFileTranscript: z.object({ of: clipTranscript, lines: transcriptLinesSchema }),
  translate: z.object({
    texts: translated.max(TRANSCRIPT_LIMITS.lines),
    ahead: translated.max(MOST_AHEAD),
    speech: translated.max(2 * TRANSCRIPT_LIMITS.lines).exactOptional(),
    language: z.string().max(100),
  }),
  hasOtherWorkers: nothing,
} as const;

export type RecordName = keyof typeof RECORD_SCHEMAS;

export const storeSchema = z.object({ key: storageKey, sizeBytes: bytes, sha256 });
export const fileSchema = z.object({ key: storageKey });
export const librarySchema = z.object({ id: z.string().min(1).max(100) });
export const sourceSchema = z.object({ link });
