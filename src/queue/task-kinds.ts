export type QueueName = "videos" | "captions" | "deliveries" | "transcripts";

/** pg-boss numbers a task's claims, so a stale one has no effect. Not every claim is an attempt. */
export type Numbering = {
  /** Attempts before this task; keeps attempt numbers unique. */
  attemptsBefore?: number;
  /** Claims that were undone, or of a forgotten task. */
  handedBack?: number;
  /** The span that enqueued the task, if it was traced. */
  traceparent?: string;
};

/** The lowest start tag goes first. */
export type VideoTask = {
  videoId: string;
  jobId: string;
  startTag: number;
  /** Required of the worker. */
  labels?: readonly string[];
} & Numbering;

export type CaptionTask = { taskId: string; batchId: string } & Numbering;

/** `jobId` is the job that requested it. Videos of other jobs may be waiting for it, too. */
export type TranscriptTask = { taskId: string; jobId: string } & Numbering;

/** An event for a webhook, or for an account's inbox. */
export type WebhookTask = { sendingId: string; webhookId: string; dueAt?: string } & Numbering;
export type MailTask = { sendingId: string; dueAt?: string } & Numbering;

/** `labels` is a local folder's name, for the servers that have it. */
export type FolderTask = { folderId: string; labels: readonly string[] } & Numbering;

export type DeliveryTask = { deliveryId: string; jobId: string; destinationId: string } & Numbering;

/** Encodes one run of another worker's video. `labels` include the kind of its engine. */
export type RunTask = {
  taskId: string;
  jobId: string;
  videoId: string;
  /** Of the video. */
  videoAttempt: number;
  /** Storage key of the runs. */
  order: string;
  /** In the order. */
  place: number;
  labels: readonly string[];
} & Numbering;

export type Claimed<Task> = Task & {
  /** From 1. */
  attempt: number;
  /** False for the last attempt. */
  isRetried: boolean;
  /** Aborts when the claim is lost or work stops. */
  signal: AbortSignal;
};

export type ClaimedTask = Claimed<VideoTask>;
export type ClaimedCaptionTask = Claimed<CaptionTask>;

export type ClaimedDeliveryTask = Claimed<DeliveryTask>;

export type TaskKind<Task> = {
  queue: QueueName | "runs" | "webhooks" | "mails" | "folders";
  /** Holds tasks whose last attempt was cut off, until their end is recorded. Without it, attempts are not limited. */
  lostQueue?: string;
  /** For traces. */
  noun: string;
  idOf(task: Task): string;
  /** The highest goes first. `place` is the index among tasks enqueued together. */
  priorityOf(task: Task, place: number): number;
  /** Groups take turns, each with `groupLimit` running tasks, by default as many as a process has slots. */
  groupOf?(task: Task): string;
  groupLimit?: number;
  /** A new task waits until this time. */
  dueAtOf?(task: Task): string | undefined;
  hasLabels?: true;
  /** Each attempt starts a new trace. */
  startsTraces?: true;
};

export const VIDEO_TASKS: TaskKind<VideoTask> = {
  queue: "videos",
  lostQueue: "lost-videos",
  noun: "video",
  idOf: (task) => task.videoId,
  priorityOf: (task) => -task.startTag,
  hasLabels: true,
};

/** A separate queue, so captions do not wait for renders. */
export const CAPTION_TASKS: TaskKind<CaptionTask> = {
  queue: "captions",
  lostQueue: "lost-captions",
  noun: "caption",
  idOf: (task) => task.taskId,
  priorityOf: (_task, place) => -place,
  groupOf: (task) => task.batchId,
};

/** Transcriptions of other jobs take turns with those of a large job. */
export const TRANSCRIPT_TASKS: TaskKind<TranscriptTask> = {
  queue: "transcripts",
  lostQueue: "lost-transcripts",
  noun: "transcript",
  idOf: (task) => task.taskId,
  priorityOf: () => 0,
  groupOf: (task) => task.jobId,
};

/** One at a time per destination, so that no two write the same file. */
export const DELIVERY_TASKS: TaskKind<DeliveryTask> = {
  queue: "deliveries",
  lostQueue: "lost-deliveries",
  noun: "delivery",
  idOf: (task) => task.deliveryId,
  priorityOf: () => 0,
  groupOf: (task) => task.destinationId,
  groupLimit: 1,
};

/** A slow webhook delays only its own events. */
export const WEBHOOK_TASKS: TaskKind<WebhookTask> = {
  queue: "webhooks",
  noun: "webhook",
  idOf: (task) => task.sendingId,
  priorityOf: () => 0,
  groupOf: (task) => task.webhookId,
  groupLimit: 4,
  dueAtOf: (task) => task.dueAt,
};

/** A separate queue, for servers with a mail server. */
export const MAIL_TASKS: TaskKind<MailTask> = {
  queue: "mails",
  noun: "mail",
  idOf: (task) => task.sendingId,
  priorityOf: () => 0,
  dueAtOf: (task) => task.dueAt,
};

/** The video's own worker encodes from the first run on, so others take the last. */
export const RUN_TASKS: TaskKind<RunTask> = {
  queue: "runs",
  noun: "run",
  idOf: (task) => task.taskId,
  priorityOf: (task) => task.place,
  hasLabels: true,
};

/** A task per watch folder, which is put back after each check. `move` orders them by the time when they are due. */
export const FOLDER_TASKS: TaskKind<FolderTask> = {
  queue: "folders",
  noun: "watch folder",
  idOf: (task) => task.folderId,
  priorityOf: () => 0,
  hasLabels: true,
  startsTraces: true,
};

/** Their tasks may wait for hosts. */
const WORKER_KINDS = [VIDEO_TASKS, CAPTION_TASKS, DELIVERY_TASKS, TRANSCRIPT_TASKS] as const;
const SERVER_KINDS = [WEBHOOK_TASKS, MAIL_TASKS, FOLDER_TASKS] as const;
export const TASK_KINDS = [...WORKER_KINDS, RUN_TASKS, ...SERVER_KINDS] as const;
export const QUEUE_NAMES: readonly string[] = TASK_KINDS.map(({ queue }) => queue);
export const WORKER_QUEUES: readonly string[] = WORKER_KINDS.flatMap(({ queue, lostQueue }) => [queue, lostQueue!]);
