import { z } from "zod";
import { component, named } from "../component.ts";
import { HostCooldown } from "../sources/cooldowns.ts";

/** In videos per worker. */
export const CONCURRENCY_RANGE = { least: 1, most: 64 } as const;

export const PauseReason = named(
  "PauseReason",
  "Why a worker claims no videos; several can apply.",
  z.enum([
    "disk-full",
    "lease-lost",
    "worker-paused",
    "worker-draining",
    "worker-idle",
    "worker-stopping",
    "queue-paused",
  ]),
);
export type PauseReason = z.infer<typeof PauseReason>;

export type DiskState = "ok" | "low" | "full";

export const FfmpegOrigin = named(
  "FfmpegOrigin",
  "FFMPEG_PATH, a folder on PATH, or the project's packages.",
  z.enum(["configured", "path", "bundled"]),
);
export type FfmpegOrigin = z.infer<typeof FfmpegOrigin>;

export const MissingLimit = named("MissingLimit", z.enum(["memory", "network"]));
export type MissingLimit = z.infer<typeof MissingLimit>;

export const WorkerMedia = component("WorkerMedia", () => ({
  ffmpeg: z.string().describe("Its version string."),
  origin: FfmpegOrigin,
  missingLimits: z.array(MissingLimit),
  encoder: z.exactOptional(EncoderState).describe("Absent in older workers."),
}));
export type WorkerMedia = z.infer<typeof WorkerMedia>;

export const WorkerTask = component("WorkerTask", () => ({
  jobId: z.string(),
  jobName: z.string(),
  videoId: z.string(),
  position: z.number().describe("From 0."),
  videoName: z.string().nullable(),
  stage: z.enum(["Fetching", "Rendering"]).nullable(),
  progress: z.number().describe("0-100."),
}));
export type WorkerTask = z.infer<typeof WorkerTask>;

export const FleetWorker = component("FleetWorker", () => ({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  media: z.nullable(WorkerMedia).describe("Null for older workers."),
  pid: z.number(),
  concurrency: z.number(),
  wantedConcurrency: z.number().nullable().describe("An operator's value, or null."),
  isPaused: z.boolean(),
  isDraining: z.boolean(),
  canDrain: z.boolean().describe("A separate worker program exits when drained; the server needs its built-in worker."),
  labels: z.array(z.string()).describe("Jobs can require them. Sorted."),
  token: z.string().nullable().describe("The token's name, for a worker without the database."),
  isLost: z.boolean().describe("No heartbeat for 15 s."),
  startedAt: z.string(),
  secondsSinceBeat: z.number().describe("By the database's clock."),
  tasks: z.array(WorkerTask),
  captionVideos: z.number(),
  speed: z
    .number()
    .nullable()
    .describe("Seconds of output per second of work over the last minutes; null without output."),
  pauseReasons: z.array(PauseReason),
  disk: z.enum(["ok", "low", "full"]).nullable(),
}));
export type FleetWorker = z.infer<typeof FleetWorker>;

const QUEUE_PAUSE = {
  isPaused: z.boolean(),
  pausedAt: z.string().nullable(),
  pausedBy: z.string().nullable(),
};
export type QueuePause = z.infer<z.ZodObject<typeof QUEUE_PAUSE>>;

export const QueueState = component("QueueState", () => ({
  ...QUEUE_PAUSE,
  waiting: z.number(),
  oldestWaitingSeconds: z.number().describe("How long the first has been ready."),
  held: z.number().describe("Videos of held jobs."),
  postponed: z.number().describe("Waiting for a retry."),
  active: z.number(),
}));
export type QueueState = z.infer<typeof QueueState>;

export const SystemResponse = component("SystemResponse", () => ({
  workers: z.array(FleetWorker).describe("Those with a heartbeat in the last 15 s first, then by name."),
  queue: QueueState,
  hosts: z.array(HostCooldown),
  version: z.string(),
  database: z.enum(["embedded", "postgresql"]),
  storage: z.enum(["folder", "s3"]),
}));
export type SystemResponse = z.infer<typeof SystemResponse>;

export const ClaimingResponse = component("ClaimingResponse", () => ({
  ...QUEUE_PAUSE,
  workers: z.number(),
  takingWorkers: z.number().describe("Live workers claiming videos."),
}));
export type ClaimingResponse = z.infer<typeof ClaimingResponse>;

/** Values of ENCODER: x264, or a GPU encoder's name in ffmpeg. */
export const ENCODERS = ["software", "h264_nvenc", "h264_qsv", "h264_vaapi", "h264_videotoolbox"] as const;
export type Encoder = (typeof ENCODERS)[number];

export const EncoderState = component("EncoderState", () => ({
  inUse: z.enum(ENCODERS).describe("Encodes the next video."),
  wanted: z.enum(ENCODERS),
  refusal: z.string().nullable().describe("Why `wanted` is not in use."),
}));
export type EncoderState = z.infer<typeof EncoderState>;
