/** Times are read as ISO 8601 text (see parsers.ts). */
import type { Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { LibraryKind } from "#contract/calls.ts";
import type { JobStatus, ProofState, VideoStage, VideoStatus } from "#contract/jobs/jobs.ts";
import type { Verdict } from "#contract/jobs/outputs/review.ts";
import type { CaptionStage, CaptionTaskStatus } from "#contract/captions.ts";
import type { ConnectionKind, SettingsOf } from "#contract/connections/connections.ts";
import type { DeliveryFileState, DeliveryStatus } from "#contract/destinations/deliveries.ts";
import type { DestinationKind, DestinationSettings } from "#contract/destinations/destinations.ts";
import type { DomainStatus } from "#contract/cloak/cloak.ts";
import type { FailureColumns } from "#contract/jobs/failures.ts";
import type { HostName } from "#contract/sources/resting-hosts.ts";
import type { ColumnSettings, RowSettings } from "#contract/job-settings/job-settings.ts";
import type { BrandSettings } from "#contract/presets/preset-settings.ts";
import type { DiskState, PauseReason, WorkerMedia } from "#contract/settings/system.ts";
import type { ConformanceReport } from "#contract/jobs/outputs/conformance.ts";
import type { LeftOutCode } from "#contract/watch-folders/left-out.ts";
import type { Existing, Grouping, WatchFileState, WatchKind } from "#contract/watch-folders/watch-folders.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import type {
  Attempt,
  WebhookDeliveryStatus,
  DisabledReason,
  EventType,
  SentType,
} from "#contract/webhooks/webhooks.ts";

export type Tables = {
  accounts: AccountsTable;
  sessions: SessionsTable;
  api_tokens: ApiTokensTable;
  refresh_tokens: RefreshTokensTable;
  factors: FactorsTable;
  factor_challenges: FactorChallengesTable;
  mail_tokens: MailTokensTable;
  jobs: JobsTable;
  job_videos: JobVideosTable;
  job_outputs: JobOutputsTable;
  job_kept_files: JobKeptFilesTable;
  guest_links: GuestLinksTable;
  guest_comments: GuestCommentsTable;
  caption_sets: CaptionSetsTable;
  audio_sets: AudioSetsTable;
  presets: PresetsTable;
  preset_versions: PresetVersionsTable;
  brand_kits: BrandKitsTable;
  domains: DomainsTable;
  routes: RoutesTable;
  published_versions: PublishedVersionsTable;
  cloak_changes: CloakChangesTable;
  route_counts: RouteCountsTable;
  route_health: RouteHealthTable;
  job_events: JobEventsTable;
  job_requests: JobRequestsTable;
  idempotent_requests: IdempotentRequestsTable;
  job_counts: JobCountsTable;
  job_search: JobSearchTable;
  job_search_additions: JobSearchAdditionsTable;
  doomed_files: DoomedFilesTable;
  library_files: LibraryFilesTable;
  library_thumbnails: LibraryThumbnailsTable;
  library_uses: LibraryUsesTable;
  settings: SettingsTable;
  connections: ConnectionsTable;
  webhooks: WebhooksTable;
  outgoing_events: OutgoingEventsTable;
  outgoing_deliveries: OutgoingDeliveriesTable;
  destinations: DestinationsTable;
  deliveries: DeliveriesTable;
  delivery_files: DeliveryFilesTable;
  caption_batches: CaptionBatchesTable;
  caption_tasks: CaptionTasksTable;
  queue_clock: QueueClockTable;
  audit_entries: AuditEntriesTable;
  workers: WorkersTable;
  hosts: HostsTable;
  watch_folders: WatchFoldersTable;
  watch_files: WatchFilesTable;
};

type AccountsTable = {
  id: Generated<string>;
  email: string;
  password_hash: string;
  /** Null until a sign-up is confirmed by mail. */
  email_confirmed_at: Generated<string | null>;
  /** The account's next address, until it is confirmed. */
  new_email: string | null;
  /** Stored by clients; grants no rights. */
  user_metadata: JSONColumnType<UserMetadata, string | undefined>;
  disabled_at: string | null;
  last_sign_in_at: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

export type UserMetadata = Record<string, string | number | boolean | null>;

/** Revoked at sign-out; checked on each request. */
type SessionsTable = {
  id: Generated<string>;
  account_id: string;
  user_agent: string | null;
  /** By password, or by a code or link sent to the account's address. */
  method: Generated<"password" | "otp">;
  /** When a second step was completed. */
  second_step_at: string | null;
  refreshed_at: Generated<string>;
  revoked_at: string | null;
  created_at: Generated<string>;
};

/** Keys of programs; `digest` is the SHA-256 of the secret. Deleted when revoked; checked on each request. */
type ApiTokensTable = {
  id: Generated<string>;
  account_id: string;
  name: string;
  scopes: TokenScope[];
  digest: string;
  last4: string;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: Generated<string>;
};

/** Hashes of a session's refresh tokens. `used_at` is set when a token is exchanged. */
type RefreshTokensTable = {
  id: GeneratedAlways<number>;
  session_id: string;
  token_hash: string;
  parent_id: number | null;
  used_at: string | null;
  created_at: Generated<string>;
};

/** An authenticator app; active after its first valid code. */
type FactorsTable = {
  id: Generated<string>;
  account_id: string;
  friendly_name: string;
  sealed_secret: string;
  verified_at: string | null;
  /** The 30 s step of the last valid code: each code works once. */
  last_counter: Generated<number>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

type FactorChallengesTable = { id: Generated<string>; factor_id: string; expires_at: string };

/** Hashes of a link's token and a typed code sent by mail. Deleted when used. */
type MailTokensTable = {
  id: Generated<string>;
  account_id: string;
  purpose: "signup" | "recovery" | "magiclink" | "email_change" | "reauthentication";
  email: string;
  token_hash: string;
  code_hash: string;
  /** A sign-up's password, valid once the email is confirmed; null for none. */
  password_hash: string | null;
  wrong_codes: Generated<number>;
  expires_at: string;
  created_at: Generated<string>;
};

export type JobsTable = ColumnSettings & {
  id: Generated<string>;
  status: Generated<JobStatus>;
  /** Settings without a column, by name; settings newer than the row are absent. */
  settings: JSONColumnType<Record<string, unknown>, string | undefined>;
  /** Size of the rows as JSON; null without rows. */
  row_bytes: number | null;
  /** Size of the three lists and the rows as JSON if over 16 kB, else null. Set by a trigger. */
  omitted_bytes: GeneratedAlways<number | null>;
  error_message: string | null;
  progress: Generated<number>;
  /** When a report last wrote the progress; null before. */
  progress_at: Generated<string | null>;
  /** Percent of the job per second, averaged over a recent period; null until measured. */
  speed: Generated<number | null>;
  /** Time and progress of the last measurement. */
  speed_measured_at: Generated<string | null>;
  speed_measured_progress: Generated<number | null>;
  current_video: number | null;
  total_videos: number;
  retry_count: Generated<number>;
  max_retries: Generated<number>;
  created_by: string | null;
  processing_started_at: string | null;
  /** When retention deleted its files. */
  files_deleted_at: string | null;
  /** Null without a proof. */
  proof_state: ProofState | null;
  /** The change to routes that made its last links; null without links. */
  links_change: number | null;
  /** Null if the job is not on hold. */
  held_at: string | null;
  /** Its tasks' lowest start tag when last queued, put in front or released. */
  start_tag: Generated<number>;
  queued_at: Generated<string>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** Waits for a host or a fixed time, without using up attempts. */
type Waiting = {
  /** Null while it waits only for its turn or for a fixed time. */
  waits_for: HostName | null;
  /** Start of the first of its consecutive waits. */
  waiting_since: string | null;
  /** The fixed time. */
  next_try_at: string | null;
};

export type JobVideosTable = Waiting &
  FailureColumns & {
    id: Generated<string>;
    job_id: string;
    position: number;
    link: string;
    /** Of the job's row for the video; null if it is only a link. */
    row_settings: JSONColumnType<RowSettings, string | null, never> | null;
    row_pass: JSONColumnType<Record<string, string>, string | null, never> | null;
    row_name: string | null;
    /** The source's file name. */
    name: string | null;
    status: Generated<VideoStatus>;
    stage: VideoStage | null;
    progress: Generated<number>;
    attempts: Generated<number>;
    duration_seconds: number | null;
    /** Encoding cost of all outputs, in minutes of 1080p at 30 frames per second; null until the length is known. */
    cost_minutes: number | null;
    /** Outputs and minutes that it wants, written before the job's sums are checked; null until the length is known. */
    planned_outputs: Generated<number | null>;
    planned_minutes: Generated<number | null>;
    /** The last attempt that began to end. Before an open video's attempt has, its job cannot end. */
    ending_attempt: Generated<number | null>;
    /** The variants whose first segment is a sample; null if the video has none. */
    proof_variants: number[] | null;
    /** When its samples were made, if more outputs are to come; null until then and once the rest may be made. */
    samples_ended_at: string | null;
    /** Attempts for samples that have ended: the next one is no retry. */
    earlier_attempts: Generated<number>;
    started_at: string | null;
    ended_at: string | null;
    updated_at: Generated<string>;
    created_at: Generated<string>;
  };

export type JobOutputsTable = FailureColumns & {
  id: Generated<string>;
  job_id: string;
  video_id: string;
  variant: number;
  segment: number;
  name: string;
  /** The name in lowercase, unique within the job; null for outputs older than the column. */
  name_key: string | null;
  status: Generated<VideoStatus>;
  progress: Generated<number>;
  caption: string | null;
  track: string | null;
  /** Null without music, and for outputs older than the column. */
  track_link: string | null;
  /** The part of the source; null for outputs older than the columns. */
  start_seconds: number | null;
  end_seconds: number | null;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  crc32: number | null;
  /** In hex; null for files older than the column. */
  sha256: string | null;
  /** Equal for identical outputs, which share one stored file. */
  content_key: string | null;
  storage_key: string | null;
  thumbnail_key: string | null;
  /** Written with the file, so that a retry replaces them. */
  warnings: JSONColumnType<Warning[], string | undefined>;
  /** Null without a platform or a file. */
  conformance: JSONColumnType<ConformanceReport, string | null | undefined> | null;
  /** Null until reviewed. A trigger removes the review of a file that is made again. */
  verdict: Verdict | null;
  /** Why it was rejected. */
  reason: string | null;
  reviewed_at: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** Stored files from before a change of the job that may fit again; a row per content, until the job ends. */
type JobKeptFilesTable = {
  job_id: string;
  content_key: string;
  storage_key: string;
  thumbnail_key: string;
  duration_seconds: number;
  width: number;
  height: number;
  size_bytes: number;
  crc32: number;
  sha256: string | null;
  conformance: JSONColumnType<ConformanceReport, string | null | undefined> | null;
  warnings: JSONColumnType<Warning[]>;
};

/** Links that show a job's samples without an account; `digest` is the SHA-256 of the token. */
type GuestLinksTable = {
  id: Generated<string>;
  job_id: string;
  digest: string;
  can_approve: boolean;
  expires_at: string;
  revoked_at: string | null;
  created_by: string | null;
  last_seen_at: string | null;
  created_at: Generated<string>;
};

/** `author` is the name that the guest typed. `message` is null for an approval without a comment. */
type GuestCommentsTable = {
  id: Generated<string>;
  job_id: string;
  link_id: string;
  author: string;
  message: string | null;
  is_approval: boolean;
  created_at: Generated<string>;
};

type CaptionSetsTable = {
  id: Generated<string>;
  name: string;
  captions: string[];
  created_at: Generated<string>;
};
type AudioSetsTable = {
  id: Generated<string>;
  name: string;
  audio_links: string[];
  created_at: Generated<string>;
};

/** `settings` has all that was given, also what this version cannot use. */
type PresetsTable = {
  id: Generated<string>;
  name: string;
  settings: JSONColumnType<Record<string, unknown>>;
  version: Generated<number>;
  brand_kit_id: string | null;
  is_default: Generated<boolean>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** Every version of a preset, also the current one. */
type PresetVersionsTable = {
  id: Generated<string>;
  preset_id: string;
  version: number;
  settings: JSONColumnType<Record<string, unknown>>;
  brand_kit_id: string | null;
  created_at: Generated<string>;
};

type BrandKitsTable = {
  id: Generated<string>;
  name: string;
  settings: JSONColumnType<BrandSettings>;
  version: Generated<number>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

type DomainsTable = {
  id: Generated<string>;
  name: string;
  notes: string | null;
  status: Generated<DomainStatus>;
  created_at: Generated<string>;
};

type RoutesTable = {
  id: Generated<string>;
  domain_id: string;
  slug: string;
  primary_url: string;
  fallback_url: string | null;
  active: Generated<boolean>;
  /** The output of a job for which it was made; null if none, or deleted with its job. */
  output_id: string | null;
  created_at: Generated<string>;
};

/** Sent to the redirector; `published_at` is null until it is known to have accepted. */
type PublishedVersionsTable = {
  version: number;
  digest: string;
  routes: number;
  /** One line per route, in the format of published-config.ts. */
  content: string;
  published_at: string | null;
  published_by: string | null;
  /** The change count at that time; null for a version that was published again. */
  changes: number | null;
  created_at: Generated<string>;
};

/** Counts changes to domains and routes, and the published ones. One row. */
type CloakChangesTable = { id: number; changes: number; published: number };

/** Redirects per route and UTC day, as each redirector counted them. */
type RouteCountsTable = { route_id: string; day: string; source: string; redirects: number };

/** The redirector's latest health checks of primary URLs. */
type RouteHealthTable = {
  route_id: string;
  state: "up" | "down" | "unknown";
  checked_at: string | null;
  reason: string | null;
};

/** Written by triggers. */
type JobEventsTable = {
  id: GeneratedAlways<number>;
  job_id: string;
  video_id: string | null;
  status: JobStatus;
  attempt: number | null;
  message: string | null;
  created_at: Generated<string>;
};

/** Create requests with an idempotency key. */
type JobRequestsTable = { idempotency_key: string; digest: string; job_id: string; created_at: Generated<string> };

/** Requests with the header Idempotency-Key and their answers, for a day. */
type IdempotentRequestsTable = {
  account_id: string;
  idempotency_key: string;
  digest: string;
  attempt: Generated<string>;
  /** Null while the request runs. */
  answer: Generated<string | null>;
  touched_at: Generated<string>;
  created_at: Generated<string>;
};

/** Number of jobs, as a sum of changes; written by triggers. */
type JobCountsTable = {
  id: GeneratedAlways<number>;
  status: JobStatus;
  captions_enabled: boolean;
  audio_enabled: boolean;
  jobs: number;
};

/** Searchable lowercase text: name, captions and file names, one per line, truncated if long. Written by triggers. */
type JobSearchTable = { job_id: string; search_text: string; created_at: string };

/** File names that wait to be added to their job's search text. Written by triggers. */
type JobSearchAdditionsTable = { id: GeneratedAlways<number>; job_id: string; sources: string; outputs: string };

/** The audit log. `email` and `subject_name` are as of that time. */
type AuditEntriesTable = {
  id: GeneratedAlways<number>;
  account_id: string | null;
  email: string;
  action: string;
  subject: string | null;
  subject_name: string | null;
  created_at: Generated<string>;
};

/** Files of deleted jobs that are still in storage. */
type DoomedFilesTable = { prefix: string; created_at: Generated<string> };

/** Sample clips and uploads. */
export type LibraryFilesTable = {
  id: string;
  name: string;
  kind: LibraryKind;
  storage_key: string;
  size_bytes: number;
  duration_seconds: number;
  is_sample: boolean;
  tags: Generated<string[]>;
  /** SHA-256 of an upload, in hex. */
  digest: string | null;
  /** Null while an upload is being stored. */
  stored_at: Generated<string | null>;
  created_at: Generated<string>;
};

/** JPEG thumbnails of library videos, PNG ones of images; `picture` is null if none could be made. */
type LibraryThumbnailsTable = { file_id: string; picture: Uint8Array | null; created_at: Generated<string> };

/** A row per library file and job that links to it. */
type LibraryUsesTable = { file_id: string; job_id: string };

type SettingsTable = { name: string; value: string; updated_at: Generated<string> };

/** `links_digest` finds an identical request in progress. */
type CaptionBatchesTable = {
  id: Generated<string>;
  account_id: string | null;
  links_digest: string;
  created_at: Generated<string>;
};

export type CaptionTasksTable = Waiting & {
  id: Generated<string>;
  batch_id: string;
  /** From 0. */
  position: number;
  link: string;
  name: string | null;
  status: Generated<CaptionTaskStatus>;
  stage: CaptionStage | null;
  attempts: Generated<number>;
  caption: string | null;
  error_message: string | null;
  updated_at: Generated<string>;
};

/** Credentials of outside storage (ADR 37). */
type ConnectionsTable = {
  id: Generated<string>;
  kind: ConnectionKind;
  name: string;
  /** What is not secret, by kind. */
  settings: JSONColumnType<SettingsOf[ConnectionKind]>;
  /** A sealed JSON object; null if it must be entered again. */
  sealed_secret: string | null;
  version: Generated<number>;
  last_used_at: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

type WebhooksTable = {
  id: Generated<string>;
  url: string;
  events: EventType[];
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  /** A sealed JSON object; null if it must be rotated. */
  sealed_secret: string | null;
  previous_secret_until: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** Where files of jobs are delivered (ADR 50). */
type DestinationsTable = {
  id: Generated<string>;
  kind: DestinationKind;
  name: string;
  /** Null for a folder, and after its connection was removed. */
  connection_id: string | null;
  /** Rows older than `posting` do not have it. */
  settings: JSONColumnType<Omit<DestinationSettings, "posting"> & Partial<Pick<DestinationSettings, "posting">>>;
  enabled: Generated<boolean>;
  version: Generated<number>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** Only what a webhook or an account wanted when it happened. Deleted after 30 days, with its deliveries. */
type OutgoingEventsTable = {
  id: Generated<string>;
  type: SentType;
  /** As it is sent. */
  body: string;
  /** May be deleted since. */
  job_id: string | null;
  created_at: Generated<string>;
};

type OutgoingDeliveriesTable = {
  id: Generated<string>;
  event_id: string;
  /** Null for a mail. */
  webhook_id: string | null;
  account_id: string | null;
  /** A test is sent once, even to a webhook that is turned off. */
  is_test: Generated<boolean>;
  status: Generated<WebhookDeliveryStatus>;
  due_at: Generated<string>;
  /** A server is sending it until then. */
  claimed_until: string | null;
  /** Numbers the claims, so that a stale one cannot record a failure. */
  claims: Generated<number>;
  attempts: JSONColumnType<Attempt[], string | undefined>;
  created_at: Generated<string>;
};

/** A job's files on their way to a destination; the id is also its task's. */
export type DeliveriesTable = Waiting & {
  id: Generated<string>;
  job_id: string;
  /** Null if it was removed. */
  destination_id: string | null;
  destination_name: string;
  kind: DestinationKind;
  /** With the job's name filled in; null until the first attempt. */
  folder: string | null;
  status: Generated<DeliveryStatus>;
  stage: "Sending" | null;
  attempts: Generated<number>;
  /** Numbers of files, without the manifests. */
  files: Generated<number>;
  delivered: Generated<number>;
  failed: Generated<number>;
  error_message: string | null;
  ended_at: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** A file of a delivery, or a manifest. */
type DeliveryFilesTable = {
  id: Generated<string>;
  delivery_id: string;
  /** Null for a manifest. */
  output_id: string | null;
  /** In the job. */
  name: string;
  /** Below the destination's place; null until planned. */
  target_path: string | null;
  state: Generated<DeliveryFileState>;
  /** Tries without progress. */
  attempts: Generated<number>;
  size_bytes: number | null;
  sha256: string | null;
  /** What the destination's client needs to continue an upload. */
  resume: string | null;
  error_message: string | null;
  updated_at: Generated<string>;
};

/** Running or recently lost workers; `doing` holds the ids of their videos in progress. */
type WorkersTable = {
  id: string;
  name: string;
  version: string;
  /** Null for workers older than the column. */
  media: WorkerMedia | null;
  pid: number;
  concurrency: number;
  wanted_concurrency: number | null;
  is_paused: Generated<boolean>;
  is_draining: Generated<boolean>;
  can_drain: boolean;
  labels: Generated<string[]>;
  doing: Generated<string[]>;
  caption_videos: Generated<number>;
  speed: number | null;
  pause_reasons: Generated<PauseReason[]>;
  disk: DiskState | null;
  started_at: Generated<string>;
  beat_at: Generated<string>;
};

/** An outside service whose last requests failed; it rests while `rests_until` is set. Deleted when it responds. */
type HostsTable = {
  host: HostName;
  failures: number;
  failed_at: string;
  reason: string;
  resting_since: string | null;
  rests_until: string | null;
  /** Without jitter. */
  rest_seconds: number;
  /** The only task that may probe the resting host. */
  probe_task: string | null;
};

/**
 * Start-time fair queueing: `virtual_time` is the start tag of the last claimed video. `front_tag` is the lowest tag
 * ever used to put a job in front, below all times. One row.
 */
type QueueClockTable = { id: number; virtual_time: number; front_tag: Generated<number> };

/** Places whose new files become jobs. */
type WatchFoldersTable = {
  id: Generated<string>;
  name: string;
  kind: WatchKind;
  place: string;
  connection_id: string | null;
  preset_id: string | null;
  job_name: string;
  grouping: Grouping;
  interval_seconds: number;
  settle_seconds: number;
  existing: Existing;
  /** The account of its jobs. */
  created_by: string | null;
  version: Generated<number>;
  paused_at: string | null;
  pause_reason: string | null;
  /** Null until a check has read all files. */
  first_check_at: string | null;
  last_check_at: string | null;
  last_fault: string | null;
  next_check_at: Generated<string>;
  /** Renewed by the server that is checking it. */
  checked_until: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** One version of a file. Kept while the folder has it, so that it is not new again. */
type WatchFilesTable = {
  id: Generated<string>;
  folder_id: string;
  /** Within the folder; the file's id at Google Drive and Dropbox. */
  path: string;
  revision: string;
  name: string;
  size_bytes: number | null;
  /** Of the job's video; null for a file that must be copied to the library first. */
  link: string | null;
  state: WatchFileState;
  reason_code: LeftOutCode | null;
  reason: string | null;
  /** Failed attempts to read it. */
  attempts: Generated<number>;
  job_id: string | null;
  /** When this size and revision were seen first. */
  same_since: Generated<string>;
  missing_since: string | null;
  taken_at: string | null;
  first_seen_at: Generated<string>;
};
