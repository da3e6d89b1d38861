export type QueueName = "videos" | "captions" | "deliveries";

/** pg-boss numbers a task's claims, so that a stale one has no effect. Not every claim is an attempt. */
export type Numbering = {
  /** Attempts before this task, so that no attempt number is used twice. */
  attemptsBefore?: number;
  /** Undone claims, and those of a forgotten task. */
  handedBack?: number;
};

/** A video of a job. The task's id is the video's id; the lowest start tag goes first. */
export type VideoTask = {
  videoId: string;
  jobId: string;
  startTag: number;
  /** That a worker must have; absent if there are none. */
  labels?: readonly string[];
} & Numbering;

/** A video of a caption batch. The task's id is the caption task's id. */
export type CaptionTask = { taskId: string; batchId: string } & Numbering;

/** A delivery of a job's files. The task's id is the delivery's id. */
export type DeliveryTask = { deliveryId: string; jobId: string; destinationId: string } & Numbering;

/** One attempt, as its handler receives it. */
export type Claimed<Task> = Task & {
  /** Counts from 1. */
  attempt: number;
  /** False for the last attempt. */
  isRetried: boolean;
  /** Aborts when the claim is lost or the work stops. */
  signal: AbortSignal;
};

export type ClaimedTask = Claimed<VideoTask>;
export type ClaimedCaptionTask = Claimed<CaptionTask>;

export type ClaimedDeliveryTask = Claimed<DeliveryTask>;

export type TaskKind<Task> = {
  queue: QueueName;
  /** Holds tasks whose last attempt was cut off, until their end is recorded. */
  lostQueue: string;
  idOf(task: Task): string;
  /** The highest goes first. `place` is the index among tasks enqueued together. */
  priorityOf(task: Task, place: number): number;
  /** Groups take turns. Each runs at most `groupLimit` tasks, by default as many as one process has slots. */
  groupOf?(task: Task): string;
  groupLimit?: number;
  /** True if tasks may have labels, which a worker must have. */
  hasLabels?: true;
};

export const VIDEO_TASKS: TaskKind<VideoTask> = {
  queue: "videos",
  lostQueue: "lost-videos",
  idOf: (task) => task.videoId,
  priorityOf: (task) => -task.startTag,
  hasLabels: true,
};

/** A separate queue, so that captions do not wait for renders. */
export const CAPTION_TASKS: TaskKind<CaptionTask> = {
  queue: "captions",
  lostQueue: "lost-captions",
  idOf: (task) => task.taskId,
  priorityOf: (_task, place) => -place,
  groupOf: (task) => task.batchId,
};

/** One at a time per destination, so that two of them never write the same file. */
export const DELIVERY_TASKS: TaskKind<DeliveryTask> = {
  queue: "deliveries",
  lostQueue: "lost-deliveries",
  idOf: (task) => task.deliveryId,
  priorityOf: () => 0,
  groupOf: (task) => task.destinationId,
  groupLimit: 1,
};

export const TASK_KINDS = [VIDEO_TASKS, CAPTION_TASKS, DELIVERY_TASKS] as const;
export const QUEUE_NAMES = TASK_KINDS.map(({ queue }) => queue);
/** Includes the queues of lost tasks. */
export const ALL_QUEUES = TASK_KINDS.flatMap(({ queue, lostQueue }) => [queue, lostQueue]);
