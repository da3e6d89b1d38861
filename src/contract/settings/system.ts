import type { EncoderState } from "./encoders.ts";
import type { RestingHost } from "../sources/resting-hosts.ts";
import type { VideoStage } from "../jobs/jobs.ts";

/** In videos per worker. */
export const CONCURRENCY_RANGE = { least: 1, most: 64 } as const;

/** Why a worker claims no videos; several can apply. */
export type PauseReason =
  | "disk-full"
  | "lease-lost"
  | "worker-paused"
  | "worker-draining"
  | "worker-idle"
  | "worker-stopping"
  | "queue-paused";

export type DiskState = "ok" | "low" | "full";

/** FFMPEG_PATH, a folder on PATH, or the project's packages. */
export type FfmpegOrigin = "configured" | "path" | "bundled";

export type MissingLimit = "memory" | "network";

export type WorkerMedia = {
  /** Its version string. */
  ffmpeg: string;
  origin: FfmpegOrigin;
  missingLimits: MissingLimit[];
  /** Absent in older workers. */
  encoder?: EncoderState;
};

export type WorkerTask = {
  jobId: string;
  jobName: string;
  videoId: string;
  /** From 0. */
  position: number;
  videoName: string | null;
  stage: VideoStage | null;
  /** 0-100. */
  progress: number;
};

export type FleetWorker = {
  id: string;
  name: string;
  version: string;
  /** Null for older workers. */
  media: WorkerMedia | null;
  pid: number;
  concurrency: number;
  /** An operator's value, or null. */
  wantedConcurrency: number | null;
  isPaused: boolean;
  isDraining: boolean;
  /** A separate worker program exits when drained; the server needs its built-in worker. */
  canDrain: boolean;
  /** Jobs can require them. Sorted. */
  labels: string[];
  /** No heartbeat for 15 s. */
  isLost: boolean;
  startedAt: string;
  /** By the database's clock. */
  secondsSinceBeat: number;
  tasks: WorkerTask[];
  captionVideos: number;
  /** Seconds of output per second of work over the last minutes; null without output. */
  speed: number | null;
  pauseReasons: PauseReason[];
  disk: DiskState | null;
};

export type QueuePause = { isPaused: boolean; pausedAt: string | null; pausedBy: string | null };

export type QueueState = QueuePause & {
  waiting: number;
  /** How long the first has been ready. */
  oldestWaitingSeconds: number;
  /** Videos of held jobs. */
  held: number;
  /** Waiting for a retry. */
  postponed: number;
  active: number;
};

export type SystemResponse = {
  /** Those with a heartbeat in the last 15 s first, then by name. */
  workers: FleetWorker[];
  queue: QueueState;
  hosts: RestingHost[];
  version: string;
  database: "embedded" | "postgresql";
  storage: "folder" | "s3";
};

/** A cheap check: `part=claiming`. */
export type ClaimingResponse = QueuePause & {
  workers: number;
  /** Live workers claiming videos. */
  takingWorkers: number;
};
