/** The function system: the workers, the queue, and what both are told to do. */
import type { RestingHost } from "../sources/hosts.ts";
import type { VideoStage } from "../jobs/jobs.ts";

/** How many videos one worker may have at work at once. */
export const CONCURRENCY_RANGE = { least: 1, most: 64 } as const;

/** Why a worker takes no more videos. Several reasons may hold at once. */
export type PauseReason = "disk-full" | "lease-lost" | "worker-paused" | "worker-draining" | "queue-paused";

export type DiskState = "ok" | "low" | "full";

/** Source of an ffmpeg: FFMPEG_PATH, a folder on PATH, or the project's packages. */
export type FfmpegOrigin = "configured" | "path" | "bundled";

/** Limits that a machine cannot set on media programs: memory or network isolation. */
export type MissingLimit = "memory" | "network";

/** The media software of a worker. */
export type WorkerMedia = {
  /** Version string reported by its ffmpeg. */
  ffmpeg: string;
  origin: FfmpegOrigin;
  missingLimits: MissingLimit[];
};

/** A video that a worker has at work. */
export type WorkerTask = {
  jobId: string;
  jobName: string;
  videoId: string;
  /** Place in its job, from 0. */
  position: number;
  /** Null until it has been fetched. */
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
  /** In force now. */
  concurrency: number;
  /** What an operator asked for; null while nobody did. */
  wantedConcurrency: number | null;
  isPaused: boolean;
  isDraining: boolean;
  /** True of a worker program, which ends once it is drained; one inside the server would leave the server without. */
  canDrain: boolean;
  /** It has not been heard of for 15 s. */
  isLost: boolean;
  startedAt: string;
  /** Seconds since it was heard of last, by the database's clock. */
  secondsSinceBeat: number;
  tasks: WorkerTask[];
  /** Videos that it has captions written for by machine. */
  captionVideos: number;
  /** Seconds of output made per second of work over the last minutes; null when it made none. */
  speed: number | null;
  pauseReasons: PauseReason[];
  /** How full its disk is; null where it does not look. */
  disk: DiskState | null;
};

/** Whether the queue hands out anything, and who stopped it. */
export type QueuePause = { isPaused: boolean; pausedAt: string | null; pausedBy: string | null };

export type QueueState = QueuePause & {
  /** Videos that could start now, and for how long the first of them could have. */
  waiting: number;
  oldestWaitingSeconds: number;
  /** Videos of jobs that are on hold. */
  held: number;
  /** Videos that are tried again later. */
  postponed: number;
  active: number;
};

export type SystemResponse = {
  /** Those heard of within 15 s first, by name. */
  workers: FleetWorker[];
  queue: QueueState;
  /** Outside services that are unavailable. */
  hosts: RestingHost[];
  version: string;
  database: "embedded" | "postgresql";
  storage: "folder" | "s3";
};

/** With `part=claiming`: whether anybody takes what waits, at next to no cost. */
export type ClaimingResponse = QueuePause & {
  /** Workers that are alive, and those of them that take videos. */
  workers: number;
  takingWorkers: number;
};
