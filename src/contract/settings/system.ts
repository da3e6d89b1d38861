/** Responses of the function system: workers, queue and hosts. */
import type { EncoderState } from "./encoders.ts";
import type { RestingHost } from "../sources/resting-hosts.ts";
import type { VideoStage } from "../jobs/jobs.ts";

/** In videos per worker. */
export const CONCURRENCY_RANGE = { least: 1, most: 64 } as const;

/** Why a worker claims no videos. Several reasons can apply at the same time. */
export type PauseReason =
  | "disk-full"
  | "lease-lost"
  | "worker-paused"
  | "worker-draining"
  | "worker-idle"
  | "worker-stopping"
  | "queue-paused";

export type DiskState = "ok" | "low" | "full";

/** Source of an ffmpeg: FFMPEG_PATH, a folder on PATH, or the project's packages. */
export type FfmpegOrigin = "configured" | "path" | "bundled";

/** Limits that a machine cannot set on media programs: memory or network isolation. */
export type MissingLimit = "memory" | "network";

export type WorkerMedia = {
  /** Version string of its ffmpeg. */
  ffmpeg: string;
  origin: FfmpegOrigin;
  missingLimits: MissingLimit[];
  /** Absent for workers of older versions. */
  encoder?: EncoderState;
};

/** A video in progress. */
export type WorkerTask = {
  jobId: string;
  jobName: string;
  videoId: string;
  /** Place in its job, from 0. */
  position: number;
  /** Null until fetched. */
  videoName: string | null;
  stage: VideoStage | null;
  /** 0-100. */
  progress: number;
};

export type FleetWorker = {
  id: string;
  name: string;
  version: string;
  /** Null for workers of older versions, which do not report it. */
  media: WorkerMedia | null;
  pid: number;
  concurrency: number;
  /** The value set by an operator, or null. */
  wantedConcurrency: number | null;
  isPaused: boolean;
  isDraining: boolean;
  /** True for a separate worker program, which exits when drained; the server needs its built-in one. */
  canDrain: boolean;
  /** Jobs can ask for them; in alphabetical order. */
  labels: string[];
  /** True after 15 s without a heartbeat. */
  isLost: boolean;
  startedAt: string;
  /** By the database's clock. */
  secondsSinceBeat: number;
  tasks: WorkerTask[];
  /** Videos that it is generating captions for. */
  captionVideos: number;
  /** Seconds of output per second of work over the last minutes; null without output. */
  speed: number | null;
  pauseReasons: PauseReason[];
  /** Null if the worker does not check its disk. */
  disk: DiskState | null;
};

export type QueuePause = { isPaused: boolean; pausedAt: string | null; pausedBy: string | null };

export type QueueState = QueuePause & {
  /** Videos ready to start. */
  waiting: number;
  /** For how long the first of them has been ready. */
  oldestWaitingSeconds: number;
  /** Videos of held jobs. */
  held: number;
  /** Videos waiting for a later retry. */
  postponed: number;
  active: number;
};

export type SystemResponse = {
  /** Workers with a heartbeat in the last 15 s first, then by name. */
  workers: FleetWorker[];
  queue: QueueState;
  /** Only resting ones. */
  hosts: RestingHost[];
  version: string;
  database: "embedded" | "postgresql";
  storage: "folder" | "s3";
};

/** With `part=claiming`: whether any worker claims videos, at low cost. */
export type ClaimingResponse = QueuePause & {
  /** Live workers. */
  workers: number;
  /** Live workers that claim videos. */
  takingWorkers: number;
};
