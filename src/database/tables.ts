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
import type { HostName } from "#contract/sources/cooldowns.ts";
import type { ColumnSettings, RowSettings } from "#contract/job-settings/job-settings.ts";
import type { BrandSettings } from "#contract/presets/preset-settings.ts";
import type { DiskState, PauseReason, WorkerMedia } from "#contract/settings/system.ts";
import type { ConformanceReport } from "#contract/jobs/outputs/conformance.ts";
import type { LeftOutCode } from "#contract/watch-folders/left-out.ts";
import type { Existing, Grouping, WatchFileState, WatchKind } from "#contract/watch-folders/watch-folders.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import type {
  TranscriptLine,
  TranscriptOrigin,
  TranscriptStage,
  TranscriptStatus,
} from "#contract/transcripts/transcripts.ts";
import type {
  Attempt,
  WebhookDeliveryStatus,
  DisabledReason,
  EventType,
  SentType,
} from "#contract/webhooks/webhooks.ts";

export type Tables = {
  accounts: AccountsTable;
  account_identities: AccountIdentitiesTable;
  sessions: SessionsTable;
  api_tokens: ApiTokensTable;
  oauth_codes: OAuthCodesTable;
  refresh_tokens: RefreshTokensTable;
  factors: FactorsTable;
  factor_challenges: FactorChallengesTable;
  mail_tokens: MailTokensTable;
  jobs: JobsTable;
  job_videos: JobVideosTable;
  job_outputs: JobOutputsTable;
  output_subtitles: OutputSubtitlesTable;
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
  idempotent_requests: IdempotentRequestsTable;
  job_counts: JobCountsTable;
  video_counts: VideoCountsTable;
  job_search: JobSearchTable;
  job_search_additions: JobSearchAdditionsTable;
  pending_file_deletions: PendingFileDeletionsTable;
  library_files: LibraryFilesTable;
  library_thumbnails: LibraryThumbnailsTable;
  library_uses: LibraryUsesTable;
  settings: SettingsTable;
  translations: TranslationsTable;
  connections: ConnectionsTable;
  webhooks: WebhooksTable;
  outgoing_events: OutgoingEventsTable;
  outgoing_deliveries: OutgoingDeliveriesTable;
  destinations: DestinationsTable;
  deliveries: DeliveriesTable;
  delivery_files: DeliveryFilesTable;
  caption_batches: CaptionBatchesTable;
  caption_tasks: CaptionTasksTable;
  transcripts: TranscriptsTable;
  transcript_uses: TranscriptUsesTable;
  queue_clock: QueueClockTable;
  audit_entries: AuditEntriesTable;
  workers: WorkersTable;
  worker_claims: WorkerClaimsTable;
  hosts: HostsTable;
  watch_folders: WatchFoldersTable;
  watch_files: WatchFilesTable;
};

type AccountsTable = {
  id: Generated<string>;
  email: string;
  password_hash: string;
  email_confirmed_at: Generated<string | null>;
  new_email: string | null;
  /** Set by clients; grants no rights. */
  user_metadata: JSONColumnType<UserMetadata, string | undefined>;
  disabled_at: string | null;
  last_sign_in_at: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

export type UserMetadata = Record<string, string | number | boolean | null>;

/** `subject` identifies a person at the OpenID provider `issuer`. Their account has no usable password. */
type AccountIdentitiesTable = {
  issuer: string;
  subject: string;
  account_id: string;
  created_at: Generated<string>;
};

/** Revoked at sign-out; checked on each request. */
type SessionsTable = {
  id: Generated<string>;
  account_id: string;
  user_agent: string | null;
  /** "otp" is a code or link sent by mail, "oauth" an OpenID provider. */
  method: Generated<"password" | "otp" | "oauth">;
  /** When the provider last asked the owner to sign in; null for other methods. */
  proved_at: string | null;
  second_step_at: string | null;
  refreshed_at: Generated<string>;
  revoked_at: string | null;
  created_at: Generated<string>;
};

/** `digest` is the SHA-256 of the secret. Deleted when revoked; checked on each request. */
type ApiTokensTable = {
  id: Generated<string>;
  account_id: string;
  name: string;
  scopes: TokenScope[];
  /** Only for worker tokens. Sorted. */
  worker_labels: string[] | null;
  digest: string;
  last4: string;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: Generated<string>;
};

/**
 * `digest` is the SHA-256 of a code that an assistant exchanges once, while the session that allowed it is open.
 * `token_id` is the API token that it got, and `token_expires_at` that token's expiry.
 */
type OAuthCodesTable = {
  digest: string;
  session_id: string;
  client_id: string;
  redirect_uri: string;
  code_challenge: string;
  resource: string;
  scopes: TokenScope[];
  token_expires_at: string | null;
  token_id: string | null;
  used_at: string | null;
  expires_at: string;
};

/** `used_at` is set when a token is exchanged. */
type RefreshTokensTable = {
  id: GeneratedAlways<number>;
  session_id: string;
  token_hash: string;
  parent_id: number | null;
  used_at: string | null;
  created_at: Generated<string>;
};

/** Active after its first valid code. */
type FactorsTable = {
  id: Generated<string>;
  account_id: string;
  friendly_name: string;
  sealed_secret: string;
  verified_at: string | null;
  /** The 30 s step of the last valid code: each works once. */
  last_counter: Generated<number>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

type FactorChallengesTable = { id: Generated<string>; factor_id: string; expires_at: string };

/** Hashes of a link's token and a typed code. Deleted when used. */
type MailTokensTable = {
  id: Generated<string>;
  account_id: string;
  purpose: "signup" | "recovery" | "magiclink" | "email_change" | "reauthentication";
  email: string;
  token_hash: string;
  code_hash: string;
  /** A sign-up's, valid once the email is confirmed. */
  password_hash: string | null;
  wrong_codes: Generated<number>;
  expires_at: string;
  created_at: Generated<string>;
};

export type JobsTable = ColumnSettings & {
  id: Generated<string>;
  status: Generated<JobStatus>;
  /** Settings without a column; absent if newer than the row. */
  settings: JSONColumnType<Record<string, unknown>, string | undefined>;
  /** Size as JSON; null without rows. */
  row_bytes: number | null;
  /** Size of the three lists and the rows as JSON if over 16 kB. Set by a trigger. */
  omitted_bytes: GeneratedAlways<number | null>;
  error_message: string | null;
  progress: Generated<number>;
  progress_at: Generated<string | null>;
  /** Percent of the job per second over a recent period. */
  speed: Generated<number | null>;
  speed_measured_at: Generated<string | null>;
  speed_measured_progress: Generated<number | null>;
  current_video: number | null;
  total_videos: number;
  retry_count: Generated<number>;
  max_retries: Generated<number>;
  created_by: string | null;
  processing_started_at: string | null;
  files_deleted_at: string | null;
  proof_state: ProofState | null;
  /** Ended waits for an approval. */
  awaited_seconds: Generated<number>;
  awaiting_since: string | null;
  /** Number of the change to routes that made its last links. */
  links_change: number | null;
  held_at: string | null;
  /** Lowest tag of its tasks when last queued, moved to the front or released. */
  start_tag: Generated<number>;
  queued_at: Generated<string>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** Waits without using up attempts. */
type Waiting = {
  /** Null while it waits for its turn or a fixed time. */
  waits_for: HostName | null;
  /** Start of the first of consecutive waits. */
  waiting_since: string | null;
  next_try_at: string | null;
};

export type JobVideosTable = Waiting &
  FailureColumns & {
    id: Generated<string>;
    job_id: string;
    position: number;
    link: string;
    row_settings: JSONColumnType<RowSettings, string | null, never> | null;
    /** Of an assembled video: its parts' file names, before they are known their slots and numbers. */
    row_pass: JSONColumnType<Record<string, string>, string | null> | null;
    row_name: string | null;
    /** The place of each slot's clip, from 0; null for a video that is not assembled. */
    clips: number[] | null;
    name: string | null;
    status: Generated<VideoStatus>;
    stage: VideoStage | null;
    progress: Generated<number>;
    attempts: Generated<number>;
    duration_seconds: number | null;
    /** Encoding cost of all outputs in minutes of 1080p at 30 fps; null until known. */
    cost_minutes: number | null;
    /** Written before the job's sums are checked; null until known. */
    planned_outputs: Generated<number | null>;
    planned_minutes: Generated<number | null>;
    /** The last attempt that began to end. A job cannot end before that of each open video. */
    ending_attempt: Generated<number | null>;
    /** Variants whose first segment is a sample. */
    proof_variants: number[] | null;
    /** When its samples were made, if more outputs follow; null again once the rest may be made. */
    samples_ended_at: string | null;
    /** Attempts for samples that ended, so the next is no retry. */
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
  /** Lowercase, unique in the job; null for outputs older than the column. */
  name_key: string | null;
  status: Generated<VideoStatus>;
  progress: Generated<number>;
  caption: string | null;
  track: string | null;
  /** Null without music, and if older than the column. */
  track_link: string | null;
  start_seconds: number | null;
  end_seconds: number | null;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  crc32: number | null;
  /** Hex; null if older than the column. */
  sha256: string | null;
  /** Equal for identical outputs, which share a stored file. */
  content_key: string | null;
  storage_key: string | null;
  thumbnail_key: string | null;
  /** Stored under `coverKeyOf(storage_key)`; null without one. */
  cover: JSONColumnType<StoredCover, string | null | undefined> | null;
  /** Written with the file, so a retry replaces them. */
  warnings: JSONColumnType<Warning[], string | undefined>;
  /** Null without a platform or a file. */
  conformance: JSONColumnType<ConformanceReport, string | null | undefined> | null;
  /** Null until reviewed. A trigger removes it when the file is made again. */
  verdict: Verdict | null;
  reason: string | null;
  reviewed_at: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

export type StoredCover = { sizeBytes: number; crc32: number };

/** Of the job's files with that content. */
type OutputSubtitlesTable = { job_id: string; content_key: string; srt: string };

/** Files from before a change of the job that may still fit, until it ends. */
type JobKeptFilesTable = {
  job_id: string;
  content_key: string;
  storage_key: string;
  thumbnail_key: string;
  cover: JSONColumnType<StoredCover, string | null | undefined> | null;
  duration_seconds: number;
  width: number;
  height: number;
  size_bytes: number;
  crc32: number;
  sha256: string | null;
  conformance: JSONColumnType<ConformanceReport, string | null | undefined> | null;
  warnings: JSONColumnType<Warning[]>;
};

/** `digest` is the SHA-256 of the token. */
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

export type GuestCommentsTable = {
  id: Generated<string>;
  job_id: string;
  link_id: string;
  author: string;
  message: string | null;
  is_approval: boolean;
  /** The sample that the comment is about; null for all, or if that sample was replaced. */
  output_id: string | null;
  at_seconds: number | null;
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

/** `settings` keeps even what this version cannot use. */
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
  /** The output it was made for. */
  output_id: string | null;
  created_at: Generated<string>;
};

/** `published_at` is null until the redirector accepts. */
type PublishedVersionsTable = {
  version: number;
  digest: string;
  routes: number;
  /** A line per route (published-config.ts). */
  content: string;
  published_at: string | null;
  published_by: string | null;
  /** Null for a version published again. */
  changes: number | null;
  created_at: Generated<string>;
};

/** One row. */
type CloakChangesTable = { id: number; changes: number; published: number };

/** Per UTC day and redirector. */
type RouteCountsTable = { route_id: string; day: string; source: string; redirects: number };

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

/** Kept for a day; a created job's as long as the job. */
type IdempotentRequestsTable = {
  account_id: string;
  idempotency_key: string;
  digest: string;
  attempt: Generated<string>;
  /** Null while the request runs, and for a created job. */
  answer: Generated<string | null>;
  job_id: Generated<string | null>;
  touched_at: Generated<string>;
  created_at: Generated<string>;
};

/** A sum of changes; written by triggers. */
type JobCountsTable = {
  id: GeneratedAlways<number>;
  status: JobStatus;
  captions_enabled: boolean;
  audio_enabled: boolean;
  jobs: number;
};

/** A job's counts are the sums over its rows. Written by triggers. */
type VideoCountsTable = { id: GeneratedAlways<number>; job_id: string; waiting: number; failed: number };

/** Lowercase name, captions and file names, one per line, truncated if long. Written by triggers. */
type JobSearchTable = { job_id: string; search_text: string; created_at: string };

/** File names not yet in their job's search text. Written by triggers. */
type JobSearchAdditionsTable = { id: GeneratedAlways<number>; job_id: string; sources: string; outputs: string };

/** `email` and `subject_name` are as of that time. */
type AuditEntriesTable = {
  id: GeneratedAlways<number>;
  account_id: string | null;
  email: string;
  action: string;
  subject: string | null;
  subject_name: string | null;
  created_at: Generated<string>;
};

/** Files of deleted jobs, until storage has removed them. */
type PendingFileDeletionsTable = {
  prefix: string;
  /** A process deletes the files until then. */
  claimed_until: Generated<string | null>;
  created_at: Generated<string>;
};

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
  /** Null while an upload is stored. */
  stored_at: Generated<string | null>;
  created_at: Generated<string>;
};

/** JPEG for videos, PNG for images; `picture` is null if none could be made. */
type LibraryThumbnailsTable = { file_id: string; picture: Uint8Array | null; created_at: Generated<string> };

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

/** ADR 77. Unique by content and language. */
export type TranscriptsTable = Waiting & {
  id: Generated<string>;
  /**
   * SHA-256 of the source or subtitle file, or `library:<id>`. After `job:<id>:` if a worker without the database said so.
   */
  content: string;
  /** A BCP 47 tag; "" is the language spoken. */
  language: Generated<string>;
  /** Null until completed. */
  origin: TranscriptOrigin | null;
  spoken_language: string | null;
  /** The source's file name. */
  name: string;
  /** Of the source. */
  link: string;
  duration_seconds: number;
  lines: JSONColumnType<TranscriptLine[], string | undefined>;
  /** Counts changes of `lines`. */
  revision: Generated<number>;
  /** When an operator last changed it. */
  edited_at: string | null;
  status: Generated<TranscriptStatus>;
  stage: TranscriptStage | null;
  progress: Generated<number>;
  attempts: Generated<number>;
  /** Counts the requests to transcribe it: after a failure, a retried video makes another one. */
  request: Generated<number>;
  error_message: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** `clip` is the part of an assembled video, from 0. `request` is the transcript's that the video waits for. */
type TranscriptUsesTable = { video_id: string; clip: number; transcript_id: string; request: number };

/** ADR 37. */
/** `key` is a hash of what a translation depends on. `translation` is null while the attempt makes it. */
type TranslationsTable = {
  key: string;
  language: string;
  source: string;
  translation: string | null;
  attempt: string;
  touched_at: Generated<string>;
  used_at: Generated<string>;
};

type ConnectionsTable = {
  id: Generated<string>;
  kind: ConnectionKind;
  name: string;
  settings: JSONColumnType<SettingsOf[ConnectionKind]>;
  /** Sealed JSON; null if it must be entered again. */
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
  /** First failure since the last success. */
  failing_since: string | null;
  /** Sealed JSON; null if it must be rotated. */
  sealed_secret: string | null;
  previous_secret_until: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** ADR 50. */
type DestinationsTable = {
  id: Generated<string>;
  kind: DestinationKind;
  name: string;
  /** Null for a folder or a removed connection. */
  connection_id: string | null;
  /** Older rows lack `posting`. */
  settings: JSONColumnType<Omit<DestinationSettings, "posting"> & Partial<Pick<DestinationSettings, "posting">>>;
  enabled: Generated<boolean>;
  version: Generated<number>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** Only events that a webhook or account wanted. Deleted with their deliveries after 30 days. */
type OutgoingEventsTable = {
  id: Generated<string>;
  type: SentType;
  body: string;
  job_id: string | null;
  created_at: Generated<string>;
};

type OutgoingDeliveriesTable = {
  id: Generated<string>;
  event_id: string;
  /** Null for a mail. */
  webhook_id: string | null;
  account_id: string | null;
  /** Sent once, even to a disabled webhook. */
  is_test: Generated<boolean>;
  status: Generated<WebhookDeliveryStatus>;
  /** Of the next attempt, as in the queue. */
  due_at: Generated<string>;
  attempts: JSONColumnType<Attempt[], string | undefined>;
  created_at: Generated<string>;
};

export type DeliveriesTable = Waiting & {
  id: Generated<string>;
  job_id: string;
  destination_id: string | null;
  destination_name: string;
  kind: DestinationKind;
  folder: string | null;
  /** The destination's connection and place at the latest attempt; null before the first one. */
  place: string | null;
  status: Generated<DeliveryStatus>;
  stage: "Sending" | null;
  attempts: Generated<number>;
  /** Excludes manifests. */
  files: Generated<number>;
  delivered: Generated<number>;
  failed: Generated<number>;
  error_message: string | null;
  ended_at: string | null;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

type DeliveryFilesTable = {
  id: Generated<string>;
  delivery_id: string;
  /** Null for a manifest. */
  output_id: string | null;
  name: string;
  /** Below the destination's folder; null until planned. */
  target_path: string | null;
  state: Generated<DeliveryFileState>;
  /** Tries without progress. */
  attempts: Generated<number>;
  size_bytes: number | null;
  sha256: string | null;
  /** For the destination's client to continue an upload. */
  resume: string | null;
  error_message: string | null;
  updated_at: Generated<string>;
};

/** Includes recently lost workers; `doing` holds the ids of their videos in progress. */
type WorkersTable = {
  id: string;
  /** Null for a worker with the database. */
  token_id: string | null;
  name: string;
  version: string;
  /** Null if older than the column. */
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

/** Videos of workers without the database. A row counts only while the video's task has the same claim. */
type WorkerClaimsTable = {
  video_id: string;
  token_id: string;
  retry_count: number;
};

/** Services whose last requests failed, cooling down while `cools_until` is set. Deleted when they respond. */
type HostsTable = {
  host: HostName;
  failures: number;
  failed_at: string;
  reason: string;
  cooling_since: string | null;
  cools_until: string | null;
  /** Without jitter. */
  cooldown_seconds: number;
  probe_task: string | null;
};

/**
 * Start-time fair queueing: `virtual_time` is the last claimed video's start tag, `front_tag` the lowest tag used to
 * move a job to the front. One row.
 */
type QueueClockTable = { id: number; virtual_time: number; front_tag: Generated<number> };

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
  created_by: string | null;
  version: Generated<number>;
  paused_at: string | null;
  pause_reason: string | null;
  /** Null until a check has read all files. */
  first_check_at: string | null;
  last_check_at: string | null;
  last_fault: string | null;
  /** In the year 9999 during a check, unless another is requested. */
  next_check_at: Generated<string>;
  updated_at: Generated<string>;
  created_at: Generated<string>;
};

/** A version of a file, kept while the folder has it so that it is not new again. */
type WatchFilesTable = {
  id: Generated<string>;
  folder_id: string;
  /** At Google Drive and Dropbox, the file's id. */
  path: string;
  revision: string;
  name: string;
  size_bytes: number | null;
  /** Null for a file that must first be copied to the library. */
  link: string | null;
  /** Of the subtitle file beside it, if its preset shows subtitles. */
  subtitles_link: string | null;
  state: WatchFileState;
  reason_code: LeftOutCode | null;
  reason: string | null;
  attempts: Generated<number>;
  job_id: string | null;
  /** When this size and revision were first seen. */
  same_since: Generated<string>;
  missing_since: string | null;
  taken_at: string | null;
  first_seen_at: Generated<string>;
};
