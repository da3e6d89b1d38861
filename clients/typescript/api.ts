/** Written by npm run api from /openapi.json. Do not edit. */

export type CallOptions = { signal?: AbortSignal };
export type RepeatableOptions = CallOptions & {
  /** Makes it safe to send the request again for 24 hours. */
  idempotencyKey?: string;
};

export type AccountSession = {
  id: string;
  userAgent: string | null;
  createdAt: string;
  /** When its tokens were last renewed, about once an hour. */
  lastUsedAt: string;
  isThisOne: boolean;
};

/** Brings the assistant a code for one token, valid for 5 minutes. */
export type AllowAuthorizationResponse = {
  redirect_url: string;
};

/** `captions` has one text per video, in order ("" for none); `results` has the reasons. */
export type AnalyzeVideosResponse = {
  captions: string[];
  results: VideoCaption[];
  batchId: string;
  isDone: boolean;
};

/** Omits the secret. Times are ISO 8601; null means never. */
export type ApiToken = {
  id: string;
  name: string;
  scopes: ("jobs:read" | "jobs:write" | "sets" | "library" | "cloak" | "settings" | "admin" | "worker")[];
  /** Only for worker tokens. Sorted. */
  worker_labels: string[] | null;
  last4: string;
  created_at: string;
  expires_at: string | null;
  /** Rounded to the minute. */
  last_used_at: string | null;
};

/** A zip of the approved files; `download_url` is null if there is none. */
export type ApprovedResponse = {
  download_url: string | null;
  files: number;
  size_bytes: number;
};

export type Attempt = {
  at: string;
  /** Null without a response. */
  status: number | null;
  milliseconds: number;
  /** The beginning of the response body. */
  answer: string | null;
  /** Null if it succeeded. */
  error: string | null;
};

export type AudioSet = {
  id: string;
  name: string;
  audio_links: string[];
  created_at: string;
};

export type AudioSetResponse = {
  data: AudioSet;
};

export type AudioSetsResponse = {
  data: AudioSet[];
};

/** `subject` is the changed object's id or name; `subject_name` and `email` (of the account, or "terminal") are as of that time. */
export type AuditEntry = {
  id: number;
  account_id: string | null;
  email: string;
  action: string;
  subject: string | null;
  subject_name: string | null;
  created_at: string;
};

export type AuditResponse = {
  data: AuditEntry[];
};

/** What an assistant asks for. Its name is its own claim. */
export type AuthorizationResponse = {
  data: {
    client_name: string;
    /** Where the browser goes next: a host, a host and port of this computer, or the scheme of an app. */
    target: {
      kind: "website" | "computer" | "app";
      name: string;
    };
    /** The known scopes that it asks for. */
    scopes: ("jobs:read" | "jobs:write" | "sets" | "library" | "cloak" | "settings" | "admin")[];
    /** Tells the assistant that access was denied; null for an app, which would open. */
    deny_url: string | null;
  };
};

export type BrandKit = {
  id: string;
  name: string;
  settings: {
    watermark_text?: (string | null) | undefined;
    watermark_image?: (string | null) | undefined;
    watermark_position?:
      | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
      | undefined;
    watermark_opacity?: number | undefined;
    watermark_scale?: number | undefined;
    layers?: JobLayer[] | undefined;
    caption_color?: string | undefined;
    caption_box_color?: string | undefined;
    caption_font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
    caption_weight?: ("medium" | "bold") | undefined;
    intro_link?: (string | null) | undefined;
    outro_link?: (string | null) | undefined;
  };
  /** Increases with each change. */
  version: number;
  created_at: string;
  updated_at: string;
};

export type CancelJobResponse = {
  success: boolean;
  error?: string | undefined;
};

/** Shares of the height from the top: edges of the caption and of its movable area. */
export type CaptionPlace = {
  top: number;
  bottom: number;
  highest: number;
  lowest: number;
};

export type CaptionSet = {
  id: string;
  name: string;
  captions: string[];
  /** Characters missing from the fonts. Computed on read. */
  warnings: Warning[];
  created_at: string;
};

export type CaptionSetResponse = {
  data: CaptionSet;
};

/** Lists are newest first. */
export type CaptionSetsResponse = {
  data: CaptionSet[];
};

export type CaptionTaskStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";

export type ChangeLibraryFileResponse = {
  data: LibraryFile;
};

export type ChannelsResponse = {
  data: {
    id: string;
    name: string;
    service: string;
    /** Why no posts can be made in it; null if they can. */
    problem: string | null;
  }[];
};

/** `problem`: why such a job would be rejected. */
export type CheckCaptionsResponse = {
  problem: JobProblem | null;
  warnings: Warning[];
};

export type ClaimingResponse = {
  isPaused: boolean;
  pausedAt: string | null;
  pausedBy: string | null;
  workers: number;
  /** Live workers claiming videos. */
  takingWorkers: number;
};

export type CloakStateResponse = {
  /** Domain and route changes since the last publish. */
  pendingCount: number;
  /** Addresses whose redirect the next publish changes; `pending` has the first 500. */
  differences: number;
  pending: PendingChange[];
  /** An earlier version was published again, and no domain or route has changed since. Auto-publish waits. */
  isRolledBack: boolean;
  lastPublishedAt: string | null;
  /** The last 10, newest first. */
  versions: PublishedVersion[];
  health: RouteHealth[];
  counts: {
    routeId: string;
    today: number;
    last7Days: number;
  }[];
};

/** Texts with units: "15.0 s", "at most 180 s". */
export type ConformanceCheck = {
  rule:
    | "shape"
    | "picture_size"
    | "frame_rate"
    | "length"
    | "file_size"
    | "video_codec"
    | "video_bit_rate"
    | "keyframes"
    | "audio_codec"
    | "sample_rate"
    | "channels"
    | "audio_bit_rate"
    | "index"
    | "edit_lists";
  status: "pass" | "warn";
  found: string;
  expected: string;
};

/** `rules_read_on` dates the platform's rules; rules it does not state are omitted. */
export type ConformanceReport = {
  platform: Platform;
  rules_read_on: string;
  checks: ConformanceCheck[];
};

/** Never includes the secret. */
export type Connection =
  | {
      id: string;
      name: string;
      version: number;
      /** The secret's last characters; null if short or `needs_secret`. */
      last4: string | null;
      /** The secret cannot be decrypted or was removed: enter it again. */
      needs_secret: boolean;
      last_used_at: string | null;
      created_at: string;
      updated_at: string;
      /** The first 10 users that need it. */
      used_by: ConnectionUser[];
      used_by_total: number;
      kind: "s3";
      /** Null for Amazon S3. */
      endpoint: string | null;
      region: string;
      access_key_id: string;
      /** Empty for all buckets that no other connection lists. */
      buckets: string[];
      /** True addresses buckets as `endpoint/bucket`, false as `bucket.endpoint`. */
      path_style: boolean;
    }
  | {
      id: string;
      name: string;
      version: number;
      /** The secret's last characters; null if short or `needs_secret`. */
      last4: string | null;
      /** The secret cannot be decrypted or was removed: enter it again. */
      needs_secret: boolean;
      last_used_at: string | null;
      created_at: string;
      updated_at: string;
      /** The first 10 users that need it. */
      used_by: ConnectionUser[];
      used_by_total: number;
      kind: "dropbox";
      app_key: string;
    }
  | {
      id: string;
      name: string;
      version: number;
      /** The secret's last characters; null if short or `needs_secret`. */
      last4: string | null;
      /** The secret cannot be decrypted or was removed: enter it again. */
      needs_secret: boolean;
      last_used_at: string | null;
      created_at: string;
      updated_at: string;
      /** The first 10 users that need it. */
      used_by: ConnectionUser[];
      used_by_total: number;
      kind: "drive";
      /** Null if `needs_secret`. */
      client_email: string | null;
    }
  | {
      id: string;
      name: string;
      version: number;
      /** The secret's last characters; null if short or `needs_secret`. */
      last4: string | null;
      /** The secret cannot be decrypted or was removed: enter it again. */
      needs_secret: boolean;
      last_used_at: string | null;
      created_at: string;
      updated_at: string;
      /** The first 10 users that need it. */
      used_by: ConnectionUser[];
      used_by_total: number;
      kind: "sftp";
      host: string;
      port: number;
      username: string;
      sign_in: "password" | "private_key";
      /** The only accepted host key, as ssh-keygen writes it: `SHA256:…`. */
      host_key_fingerprint: string;
    }
  | {
      id: string;
      name: string;
      version: number;
      /** The secret's last characters; null if short or `needs_secret`. */
      last4: string | null;
      /** The secret cannot be decrypted or was removed: enter it again. */
      needs_secret: boolean;
      last_used_at: string | null;
      created_at: string;
      updated_at: string;
      /** The first 10 users that need it. */
      used_by: ConnectionUser[];
      used_by_total: number;
      kind: "postiz";
      /** Of the API, without `/public/v1`; null for Postiz Cloud. */
      endpoint: string | null;
      posts_per_hour: number;
    };

export type ConnectionResponse = {
  data: Connection;
};

export type ConnectionUser = {
  id: string;
  name: string;
  type: "job" | "destination" | "watch_folder";
};

export type ConnectionsResponse = {
  data: Connection[];
};

/** Fields except name and videos may be absent or null; `rows` can replace the videos. */
export type CreateJobRequest = {
  /** The job's name. */
  job_name: string;
  /** Links to videos. */
  input_videos: string[];
  /** One per video: its link, and what differs from the job. */
  rows?: (JobRow[] | null) | undefined;
  /** Each video is a clip of every slot, in a row. Empty for single videos. */
  slots?: (JobSlot[] | null) | undefined;
  /** all: every combination of the slots' clips. each: their first clips, then their second, and so on. A number: that many combinations. Default: all. */
  combine?: (("all" | "each") | number | null) | undefined;
  /** Pairs of clips that never make a video together: by link, or by slot and number, such as `Hook 3`. */
  exclude?: (string[][] | null) | undefined;
  /** Where the part of each video to use starts. In s. Default: 0. */
  start_seconds?: (number | null) | undefined;
  /** Where the part of each video to use ends. Null: at the video's end. In s. */
  end_seconds?: (number | null) | undefined;
  /** How fast videos play, with the same pitch; an intro and an end card play as they are. In ×. Default: 1. */
  speed?: (number | null) | undefined;
  /** Limit of each file in units of 1,000,000 bytes; larger ones get a lower bit rate. Null: no limit. In MB. */
  max_megabytes?: (number | null) | undefined;
  /** Also makes a JPEG of each file's frame at this time, or of its last frame. Null: none. In s. */
  cover_seconds?: (number | null) | undefined;
  /** Cuts pauses in speech of at least this many milliseconds. 0: off. In ms. Default: 0. */
  cut_silences_ms?: (number | null) | undefined;
  /** With cut_silences_ms: milliseconds kept before and after speech. In ms. Default: 150. */
  silence_padding_ms?: (number | null) | undefined;
  /** Cuts words such as "um", by the transcript. Default: false. */
  cut_fillers?: (boolean | null) | undefined;
  /** How long a clip fades into the next one. 0: a cut. In s. Default: 0. */
  transition_seconds?: (number | null) | undefined;
  /** How many milliseconds the sound of a part fades into the next one's. In ms. Default: 20. */
  audio_crossfade_ms?: (number | null) | undefined;
  /** Brings the clips of slots to one loudness. Default: true. */
  even_loudness?: (boolean | null) | undefined;
  /** Link of a video shown in full before each file, without captions and watermark. */
  intro_link?: (string | null) | undefined;
  /** Link of a video shown in full after each file, without captions and watermark. */
  outro_link?: (string | null) | undefined;
  /** Shows captions. Default: false. */
  captions_enabled?: (boolean | null) | undefined;
  /** ID of the caption set to use, unless custom_captions has texts. */
  caption_set_id?: (string | null) | undefined;
  /** Texts that rotate over all variants of all videos: each variant shows one of them. */
  custom_captions?: (string[] | null) | undefined;
  /** How letters stand out from the picture. Default: outline. */
  caption_style?: (("outline" | "box" | "shadow") | null) | undefined;
  /** Where captions are in the area that the platform keeps free. Default: bottom. */
  caption_position?: (("top" | "middle" | "bottom") | null) | undefined;
  /** The largest letters; long captions get smaller ones. Default: medium. */
  caption_size?: (("small" | "medium" | "large") | null) | undefined;
  /** sans is Inter, condensed Oswald, rounded Nunito, serif Lora. Default: sans. */
  caption_font?: (("sans" | "condensed" | "rounded" | "serif") | null) | undefined;
  /** The weight of all letters. Default: bold. */
  caption_weight?: (("medium" | "bold") | null) | undefined;
  /** Color of letters: #rrggbb. Default: #ffffff. */
  caption_color?: (string | null) | undefined;
  /** With caption_style box: #rrggbb or #rrggbbaa. Default: #0e0d0cdb. */
  caption_box_color?: (string | null) | undefined;
  /** The captions' middle, from 0 (top) to 1 (bottom). Null: as caption_position. */
  caption_y?: (number | null) | undefined;
  /** Colors words between asterisks, *like these*. Default: false. */
  caption_highlight?: (boolean | null) | undefined;
  /** When captions appear, from the file's start. Default: 0. */
  caption_start_seconds?: (number | null) | undefined;
  /** When captions disappear, from the file's start. Null: at its end. */
  caption_end_seconds?: (number | null) | undefined;
  /** Milliseconds in which captions fade in and out. Default: 0. */
  caption_fade?: ((0 | 200) | null) | undefined;
  /** Shows what is spoken: from the file in subtitles, or from a transcript. Default: false. */
  subtitles_enabled?: (boolean | null) | undefined;
  /** Link of one video's subtitle file: SRT, VTT, ASS, or words as JSON. */
  subtitles?: (string | null) | undefined;
  /** line: whole lines. word: one word at a time. karaoke: highlights words up to the current one. box: the current one. Default: line. */
  subtitle_style?: (("line" | "word" | "karaoke" | "box") | null) | undefined;
  /** Null: at the bottom, or in the middle if captions are at the bottom. */
  subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
  /** Language tags, such as de or pt-BR. Makes each variant once in each, with translated subtitles. */
  subtitle_languages?: (string[] | null) | undefined;
  /** Language tags, such as de or pt-BR. Makes each variant once in each, with translated captions. */
  languages?: (string[] | null) | undefined;
  /** Adds music. Default: false. */
  audio_enabled?: (boolean | null) | undefined;
  /** ID of the audio set to use, unless custom_audio_links has links. */
  audio_set_id?: (string | null) | undefined;
  /** Links of tracks that rotate over all variants of all videos. */
  custom_audio_links?: (string[] | null) | undefined;
  /** replace: only the music is heard. mix: the music and the video's sound. Default: replace. */
  audio_mode?: (("replace" | "mix") | null) | undefined;
  /** Shows the watermark's text and image. Default: false. */
  watermark_enabled?: (boolean | null) | undefined;
  /** A text, in addition to the image. */
  watermark_text?: (string | null) | undefined;
  /** Link of an image in the library. */
  watermark_image?: (string | null) | undefined;
  /** Where the image is in the area that the platform keeps free. Default: top-right. */
  watermark_position?:
    | (
        | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
        | null
      )
    | undefined;
  /** Opacity of the image, from 0 to 1. Default: 1. */
  watermark_opacity?: (number | null) | undefined;
  /** Width of the image as a share of the frame's. Default: 0.2. */
  watermark_scale?: (number | null) | undefined;
  /** Further texts and images over every file, the lowest first. Texts can have fields such as {row.price}. */
  layers?: (JobLayer[] | null) | undefined;
  /** Files made of each video, with the next caption and track each. Default: 1. */
  variants_per_video?: (number | null) | undefined;
  /** With audio_mode mix: volume of the video's sound, from 0 to 1. Default: 0.7. */
  video_gain?: (number | null) | undefined;
  /** With audio_mode mix: volume of the music, from 0 to 1. Default: 1. */
  music_gain?: (number | null) | undefined;
  /** Repeats music that is shorter than the video; otherwise, it ends in silence. Default: true. */
  loop_audio?: (boolean | null) | undefined;
  /** With audio_mode mix: lowers the music by these decibels while someone speaks. 0: off. In dB. Default: 0. */
  ducking_db?: (number | null) | undefined;
  /** Integrated loudness of all sound (EBU R 128). Null: unchanged. In LUFS. */
  loudness_lufs?: (number | null) | undefined;
  /** With segmentation_type: seconds of each clip. Default: 30. */
  segment_duration?: (number | null) | undefined;
  /** single: cuts one clip per variant, from other places of the video. multiple: cuts the whole video into clips. Null: off. */
  segmentation_type?: (("single" | "multiple") | null) | undefined;
  /** Keeps texts out of the areas that the app covers. Sets format and loudness_lufs, if absent. Null: any. */
  platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
  /** Shape of each file. source: the video's own. Default: source. */
  format?: (("source" | "9:16" | "4:5" | "1:1" | "16:9") | null) | undefined;
  /** Makes each variant in each of these formats. Empty: format alone. */
  formats?: (("source" | "9:16" | "4:5" | "1:1" | "16:9")[] | null) | undefined;
  /** With a format of another shape: cut, with a blurred background, or with black bars. Default: crop. */
  fit?: (("crop" | "blur" | "pad") | null) | undefined;
  /** With fit crop: keeps a fixed point, or follows the main face. Default: fixed. */
  fit_focus?: (("fixed" | "face") | null) | undefined;
  /** With fit crop: the point to keep, from 0 (left) to 1 (right). Default: 0.5. */
  fit_focus_x?: (number | null) | undefined;
  /** With fit crop: the point to keep, from 0 (top) to 1 (bottom). Default: 0.5. */
  fit_focus_y?: (number | null) | undefined;
  /** Encoding effort; draft is the fastest. Default: standard. */
  quality?: (("draft" | "standard" | "high") | null) | undefined;
  /** HEVC makes smaller files, but takes longer and plays in fewer places. Default: h264. */
  codec?: (("h264" | "hevc") | null) | undefined;
  /** Makes this many samples first; the job then waits for approval. 0: none. Default: 0. */
  proof_count?: (number | null) | undefined;
  /** With proof_count: which videos to sample. rows: those in proof_rows. Default: first. */
  proof_pick?: (("first" | "random" | "rows") | null) | undefined;
  /** Numbers of the videos to sample, from 1: 1, 4, 9-12. */
  proof_rows?: (string | null) | undefined;
  /** Offers all files as a zip. Default: true. */
  download_enabled?: (boolean | null) | undefined;
  /** Names of files, such as {row.sku}-{variant}. Null: from the video's place and name. */
  name_pattern?: (string | null) | undefined;
  /** Name of a folder in storage for the job's files. */
  output_folder?: (string | null) | undefined;
  /** ID of a domain where each file gets a public link when the job completes. Null: none. */
  link_domain_id?: (string | null) | undefined;
  /** With link_domain_id: where links lead, such as https://shop.example/{row.sku}. */
  link_target?: (string | null) | undefined;
  /** With link_domain_id: paths of links. Null: the files' names. */
  link_slug_pattern?: (string | null) | undefined;
  /** With link_domain_id: added to the target, such as utm_source=tiktok&utm_content={name}-{variant}. */
  link_utm?: (string | null) | undefined;
  /** Labels that workers need to take the job's videos, separated by commas. */
  worker_labels?: (string | null) | undefined;
  /** IDs of destinations that finished files are delivered to; some post publicly. */
  destinations?: (string[] | null) | undefined;
};

/** `warnings`: how files fall short of the request. */
export type CreateJobResponse = {
  data: WholeJob;
  warnings: Warning[];
};

/** `token` is the secret, returned only once. */
export type CreateTokenResponse = {
  data: ApiToken;
  token: string;
};

export type DashboardResponse = {
  jobs: Job[];
  stats: DashboardStats;
};

export type DashboardStats = {
  /** Input videos of jobs created since `since`. */
  videosToday: number;
  /** Created since `since`. */
  jobsToday: number;
  /** Includes jobs awaiting approval. */
  processing: number;
  awaitingApproval: number;
  queued: number;
  cancelling: number;
  captionSets: number;
  captions: number;
  audioSets: number;
  tracks: number;
};

/** Missing jobs count as deleted. */
export type DeleteJobsResponse = {
  deleted: string[];
  refused: {
    id: string;
    error: string;
  }[];
};

/** `held` has the files that were not deleted. */
export type DeleteLibraryFilesResponse = {
  data: LibraryFile[];
  isReady: boolean;
  held: HeldFile[];
};

export type DeliveriesResponse = {
  data: Delivery[];
};

export type Delivery = {
  id: string;
  job_id: string;
  /** Null if the destination was removed. */
  destination_id: string | null;
  destination_name: string;
  kind: "folder" | "s3" | "sftp" | "drive" | "dropbox" | "postiz";
  status: DeliveryStatus;
  /** Includes the job's name; null until the first attempt. */
  folder: string | null;
  /** Excludes manifests. */
  files: number;
  delivered: number;
  failed: number;
  error_message: string | null;
  /** Only the first reasons. */
  problems: DeliveryProblem[];
  /** Set while the destination does not respond. */
  waiting_since: string | null;
  created_at: string;
  updated_at: string;
  ended_at: string | null;
};

export type DeliveryFile = {
  id: string;
  /** Null for a manifest. */
  output_id: string | null;
  name: string;
  /** Below the destination's place; null until the first attempt. */
  target_path: string | null;
  state: DeliveryFileState;
  attempts: number;
  size_bytes: number | null;
  sha256: string | null;
  error_message: string | null;
  updated_at: string;
};

export type DeliveryFileState = "Waiting" | "Delivered" | "Failed";

export type DeliveryFilesResponse = {
  data: DeliveryFile[];
};

/** Files that failed for the same reason. */
export type DeliveryProblem = {
  error_message: string;
  files: number;
  name: string;
};

export type DeliveryResponse = {
  data: Delivery;
};

export type DeliveryStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";

export type Destination = {
  /** `folder`: the name of a folder that the server's configuration allows. `s3`: the bucket. `drive`: a folder's ID. `sftp`: a folder, by default the user's. `dropbox`, `postiz`: "". */
  place: string;
  /** Below the place, separated by `/`; `{job}` is the job's name. "" is the place itself. */
  folder: string;
  /** Null keeps the job's names. See `name-pattern.ts`. */
  name_pattern: string | null;
  with_manifest: boolean;
  /** Null for kinds that keep files. */
  posting: Posting | null;
  id: string;
  kind: "folder" | "s3" | "sftp" | "drive" | "dropbox" | "postiz";
  name: string;
  /** Null for a folder or a removed connection. */
  connection_id: string | null;
  enabled: boolean;
  version: number;
  created_at: string;
  updated_at: string;
  /** The first 10 unfinished jobs and presets that deliver to it. */
  used_by: DestinationUser[];
  used_by_total: number;
};

export type DestinationResponse = {
  data: Destination;
};

export type DestinationUser = {
  id: string;
  name: string;
  type: "job" | "preset";
};

/** `folders` names those available to the kind `folder`. */
export type DestinationsResponse = {
  data: Destination[];
  folders: string[];
};

export type Domain = {
  id: string;
  /** Lower case, punycode. */
  name: string;
  notes: string | null;
  status: "active" | "inactive";
  created_at: string;
};

export type EmbeddedPages = {
  batchScheduler: string | null;
  warmupRobot: string | null;
};

export type EmbeddedPagesResponse = {
  data: EmbeddedPages;
};

export type EncoderState = {
  /** Encodes the next video. */
  inUse: "software" | "h264_nvenc" | "h264_qsv" | "h264_vaapi" | "h264_videotoolbox";
  wanted: "software" | "h264_nvenc" | "h264_qsv" | "h264_vaapi" | "h264_videotoolbox";
  /** Why `wanted` is not in use. */
  refusal: string | null;
};

/** `missing` has setting names, or one of three markers set by the browser. */
export type EnvironmentCheck = {
  isValid: boolean;
  missing: string[];
  /** VPS_SYNC_URL is not a redirector's publish URL; `expectedUrl` is the right one. */
  wrongUrl: boolean;
  expectedUrl: string | null;
  error: string | null;
};

export type ErrorCode =
  | "invalid"
  | "not_found"
  | "unauthorized"
  | "forbidden"
  | "reauthentication_needed"
  | "conflict"
  | "key_reused"
  | "in_progress"
  | "too_many"
  | "unknown_encoding"
  | "too_large"
  | "too_short"
  | "bad_link"
  | "not_shared"
  | "source_not_found"
  | "not_a_video"
  | "not_audio"
  | "bad_subtitles"
  | "not_an_image"
  | "unsupported_codec"
  | "damaged"
  | "unrenderable"
  | "incomplete"
  | "bad_key"
  | "no_tool"
  | "not_transcribed"
  | "quota_exceeded"
  | "rate_limited"
  | "network"
  | "unavailable"
  | "no_space"
  | "render_failed"
  | "system_error"
  | "worker_lost"
  | "internal"
  | "cancelled";

/** `name` is a file name for `text`. */
export type ExportedTranscript = {
  name: string;
  text: string;
};

/** Links are newest first, comments oldest first. */
export type FeedbackResponse = {
  data: {
    links: GuestLink[];
    comments: GuestComment[];
  };
};

/** FFMPEG_PATH, a folder on PATH, or the project's packages. */
export type FfmpegOrigin = "configured" | "path" | "bundled";

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
  /** The token's name, for a worker without the database. */
  token: string | null;
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
  disk: ("ok" | "low" | "full") | null;
};

export type GenerateCaptionsResponse = {
  captions: string[];
};

export type GlossaryTerm = {
  term: string;
  /** By language tag. A regional tag without a translation uses that of its main language (`pt` for `pt-BR`); otherwise, the term is kept. */
  translations: {
    [name: string]: string;
  };
};

/** The guest typed the name `author`. `message` is null for an approval without a comment. */
export type GuestComment = {
  id: string;
  author: string;
  message: string | null;
  is_approval: boolean;
  /** The sample that the comment is about; null for all of them. */
  output_id: string | null;
  /** The moment in that sample. */
  at_seconds: number | null;
  created_at: string;
};

/** Returned without its token, which is shown only once. */
export type GuestLink = {
  id: string;
  can_approve: boolean;
  expires_at: string;
  revoked_at: string | null;
  /** To the minute. */
  last_seen_at: string | null;
  created_at: string;
};

/** A file that was not deleted, with the 20 oldest of its `jobCount` unfinished jobs. */
export type HeldFile = {
  id: string;
  name: string;
  jobs: {
    id: string;
    job_name: string;
  }[];
  jobCount: number;
  savedIn: {
    kind: "preset" | "brand kit" | "audio set";
    name: string;
  }[];
  isInCaptionLab: boolean;
};

export type HostCooldown = {
  host: HostName;
  reason: string;
  since: string;
  nextTryAt: string;
  waitingVideos: number;
};

/** A source host, a `<host>:<part>` down by itself, another service, or a destination. */
export type HostName = string;

/** A light row, for lists and live updates. */
export type Job = {
  job_name: string;
  slots: JobSlot[];
  combine: ("all" | "each") | number;
  /** Clips by link, or by slot and number: `Hook 3`. */
  exclude: string[][];
  start_seconds: number;
  end_seconds: number | null;
  speed: number;
  max_megabytes: number | null;
  cover_seconds: number | null;
  cut_silences_ms: number;
  silence_padding_ms: number;
  cut_fillers: boolean;
  transition_seconds: number;
  audio_crossfade_ms: number;
  even_loudness: boolean;
  intro_link: string | null;
  outro_link: string | null;
  captions_enabled: boolean;
  caption_set_id: string | null;
  caption_style: "outline" | "box" | "shadow";
  caption_position: "top" | "middle" | "bottom";
  caption_size: "small" | "medium" | "large";
  caption_font: "sans" | "condensed" | "rounded" | "serif";
  caption_weight: "medium" | "bold";
  caption_color: string;
  caption_box_color: string;
  caption_y: number | null;
  caption_highlight: boolean;
  caption_start_seconds: number;
  caption_end_seconds: number | null;
  caption_fade: 0 | 200;
  subtitles_enabled: boolean;
  subtitles: string | null;
  subtitle_style: "line" | "word" | "karaoke" | "box";
  subtitle_position: ("top" | "middle" | "bottom") | null;
  subtitle_languages: string[];
  languages: string[];
  audio_enabled: boolean;
  audio_set_id: string | null;
  audio_mode: "replace" | "mix";
  watermark_enabled: boolean;
  watermark_text: string | null;
  watermark_image: string | null;
  watermark_position:
    | "top-left"
    | "top"
    | "top-right"
    | "left"
    | "center"
    | "right"
    | "bottom-left"
    | "bottom"
    | "bottom-right";
  watermark_opacity: number;
  watermark_scale: number;
  layers: JobLayer[];
  variants_per_video: number;
  video_gain: number;
  music_gain: number;
  loop_audio: boolean;
  ducking_db: number;
  loudness_lufs: number | null;
  segment_duration: number;
  segmentation_type: ("single" | "multiple") | null;
  platform: ("tiktok" | "reels" | "shorts") | null;
  format: "source" | "9:16" | "4:5" | "1:1" | "16:9";
  /** Each file is made in each; empty for `format` alone. */
  formats: ("source" | "9:16" | "4:5" | "1:1" | "16:9")[];
  fit: "crop" | "blur" | "pad";
  fit_focus: "fixed" | "face";
  fit_focus_x: number;
  fit_focus_y: number;
  quality: "draft" | "standard" | "high";
  codec: "h264" | "hevc";
  proof_count: number;
  proof_pick: "first" | "random" | "rows";
  proof_rows: string | null;
  download_enabled: boolean;
  name_pattern: string | null;
  output_folder: string | null;
  link_domain_id: string | null;
  link_target: string | null;
  link_slug_pattern: string | null;
  link_utm: string | null;
  worker_labels: string | null;
  destinations: string[];
  input_videos?: string[] | undefined;
  rows?: JobRow[] | undefined;
  custom_captions?: string[] | undefined;
  custom_audio_links?: string[] | undefined;
  id: string;
  status: "Queued" | "Processing" | "Cancelling" | "Completed" | "Failed" | "Cancelled";
  /** Rank among Queued jobs, from 1; null while held or not Queued. Computed on read. */
  queue_position: number | null;
  /** The job's page; null until it has an output. */
  folder_link: string | null;
  /** Signed relative URL, valid for 24 h; null without a zip. */
  download_url: string | null;
  /** Signed: manifest.json, or manifest.csv with `&format=csv`; null without a zip. */
  manifest_url: string | null;
  /** Signed: a picture of a finished file; null without one. */
  thumbnail_url?: (string | null) | undefined;
  error_message: string | null;
  /** Encoded share of all outputs' time, 0-100; failed videos count as done. Never falls while the job runs. */
  progress: number;
  /** Remaining seconds at the measured speed; null unless Processing and measured. Computed on read. */
  seconds_left: number | null;
  current_video: number | null;
  total_videos: number;
  /** Failed videos of a running or completed job, else null. Computed on read. */
  failed_videos: number | null;
  /** Waiting to start; null unless Queued or Processing. Computed on read. */
  waiting_videos: number | null;
  retry_count: number;
  max_retries: number;
  processing_started_at: string | null;
  /** When retention deleted its files; null while they exist. */
  files_deleted_at?: (string | null) | undefined;
  /** When retention deletes its files; null without files or if kept forever. Computed on read. */
  files_kept_until: string | null;
  proof_state: ("making" | "waiting" | "approved" | "stopped") | null;
  /** Samples are ready for a decision; nothing of the job runs. */
  awaiting_approval: boolean;
  /** How long it waited for approvals, without the current wait. Not counted as elapsed. */
  awaited_seconds?: number | undefined;
  /** When the current wait for an approval started. */
  awaiting_since?: (string | null) | undefined;
  /** When the job was put on hold; null if not held. */
  held_at: string | null;
  updated_at: string;
  created_at: string;
};

export type JobEvent = {
  id: number;
  job_id: string;
  /** Null for the job itself. */
  video_id: string | null;
  status: "Queued" | "Processing" | "Cancelling" | "Completed" | "Failed" | "Cancelled";
  attempt: number | null;
  message: string | null;
  created_at: string;
};

/** Oldest first. `total` counts all. */
export type JobEventsResponse = {
  data: JobEvent[];
  total: number;
};

export type JobLayer =
  | {
      kind: "text";
      /** With fields, as in name patterns: `{row.price}`. */
      text: string;
      position?:
        | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
        | undefined;
      /** The layer's middle, as a share of the frame's width. */
      x?: (number | null) | undefined;
      y?: (number | null) | undefined;
      /** Letters: a share of the frame's shorter side. Images: a share of its width. */
      size?: number | undefined;
      opacity?: number | undefined;
      start_seconds?: number | undefined;
      end_seconds?: (number | null) | undefined;
      fade?: (0 | 200) | undefined;
      style?: ("outline" | "box" | "shadow") | undefined;
      font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
      weight?: ("medium" | "bold") | undefined;
      color?: string | undefined;
      box_color?: string | undefined;
    }
  | {
      kind: "image";
      /** A library image's link, or a column with one: `{row.logo}`. */
      image: string;
      position?:
        | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
        | undefined;
      /** The layer's middle, as a share of the frame's width. */
      x?: (number | null) | undefined;
      y?: (number | null) | undefined;
      /** Letters: a share of the frame's shorter side. Images: a share of its width. */
      size?: number | undefined;
      opacity?: number | undefined;
      start_seconds?: number | undefined;
      end_seconds?: (number | null) | undefined;
      fade?: (0 | 200) | undefined;
    };

export type JobLinks = {
  first_day: string;
  /** Sorted by video, variant and segment. */
  links: OutputLink[];
  /** Files of a completed job without a link. */
  missing: number;
  /** The reason, if known. */
  problem: string | null;
  /** False while the newest links await a publish. */
  is_published: boolean;
};

export type JobOutput = {
  error_message: string | null;
  error_code:
    | (
        | "bad_link"
        | "not_shared"
        | "source_not_found"
        | "not_a_video"
        | "not_audio"
        | "not_an_image"
        | "bad_subtitles"
        | "unsupported_codec"
        | "too_large"
        | "too_short"
        | "damaged"
        | "unrenderable"
        | "bad_key"
        | "no_tool"
        | "not_transcribed"
        | "quota_exceeded"
        | "rate_limited"
        | "network"
        | "incomplete"
        | "unavailable"
        | "no_space"
        | "render_failed"
        | "system_error"
        | "worker_lost"
        | "internal"
      )
    | null;
  error_step: ("fetch" | "probe" | "plan" | "draw" | "encode" | "sound" | "mux" | "store") | null;
  /** Without paths, links and secrets; at most 4 kB. */
  error_tail: string | null;
  id: string;
  job_id: string;
  video_id: string;
  /** From 0. */
  variant: number;
  /** From 0; 0 without segmentation. */
  segment: number;
  /** The file's name, in the zip too. */
  name: string;
  status: VideoStatus;
  /** 0-100. */
  progress: number;
  caption: string | null;
  /** The music's file name, or its link until known. */
  track: string | null;
  /** The part of the source; null for older outputs. */
  start_seconds: number | null;
  end_seconds: number | null;
  duration_seconds: number | null;
  width: number | null;
  height: number | null;
  size_bytes: number | null;
  /** In hex; null until stored, and for older files. */
  sha256: string | null;
  /** How the file falls short of the request. */
  warnings: Warning[];
  /** How the file meets its platform's rules; null without a platform or file. */
  conformance: ConformanceReport | null;
  /** Null until reviewed, and again when the file is made again. */
  verdict: ("approved" | "rejected") | null;
  reason: string | null;
  reviewed_at: string | null;
  /** URL of its Cloak Manager route; null without `link_domain_id` and until the job completes. */
  link: string | null;
  /** Signed relative URL, valid for 24 h, with range requests; null until stored. */
  media_url: string | null;
  thumbnail_url: string | null;
  /** Signed URL of the JPEG; null without `cover_seconds` and until stored. */
  cover_url: string | null;
  /** Signed: its subtitles as SRT, or as VTT with `&format=vtt`; null without subtitles and until stored. */
  subtitles_url: string | null;
  updated_at: string;
  created_at: string;
};

export type JobOutputsResponse = {
  data: JobOutput[];
};

/** For a toast. */
export type JobProblem = {
  title: string;
  description: string;
};

export type JobResponse = {
  data: WholeJob;
};

export type JobRow = {
  link: string;
  settings?: RowSettings | undefined;
  /** Columns that are passed on unchanged. */
  pass?:
    | {
        [name: string]: string;
      }
    | undefined;
  /** Replaces the source's file name in output names. */
  name?: string | undefined;
};

export type JobSlot = {
  name: string;
  clips: {
    link: string;
    start_seconds?: number | undefined;
    /** Null or absent means the clip's end. */
    end_seconds?: (number | null) | undefined;
    /** How fast the clip plays; absent means the job's. */
    speed?: number | undefined;
    /** A link to the clip's subtitle file. */
    subtitles?: (string | null) | undefined;
  }[];
  /** Shown instead of the job's captions. Clip n starts with caption n; each variant takes the next. */
  captions?: string[] | undefined;
};

export type JobTableResponse = {
  /** Rows without problems. */
  rows: JobRow[];
  problems: TableProblem[];
  /** Counts `rows`, with one clip per variant where a video's unknown length matters. */
  plan: {
    videos: number;
    files: number;
  };
  /** Absent for a table with problems or more than 100 different videos. */
  forecast?:
    | {
        files: number;
        /** Without copies. */
        different_files: number;
        /** The length of all files. Null while a video's length is unknown. */
        output_seconds: number | null;
        /** How long the job takes. Null also before the first completed job. */
        seconds: number | null;
        /** Of all files. Null like `seconds`. */
        size_bytes: number | null;
        /** Their videos' lengths are being read: send the table again. */
        pending_links: number;
      }
    | undefined;
  /** With `forecast`: the captions of the first 5 videos, for the first 5 variants of each, before translation. Longer ones are cut off; null is none. Absent for a table with problems. */
  captions?:
    | {
        /** From 1. */
        row: number;
        captions: (string | null)[];
      }[]
    | undefined;
  warnings: Warning[];
  csv?: string | undefined;
};

export type JobVideo = {
  error_message: string | null;
  error_code:
    | (
        | "bad_link"
        | "not_shared"
        | "source_not_found"
        | "not_a_video"
        | "not_audio"
        | "not_an_image"
        | "bad_subtitles"
        | "unsupported_codec"
        | "too_large"
        | "too_short"
        | "damaged"
        | "unrenderable"
        | "bad_key"
        | "no_tool"
        | "not_transcribed"
        | "quota_exceeded"
        | "rate_limited"
        | "network"
        | "incomplete"
        | "unavailable"
        | "no_space"
        | "render_failed"
        | "system_error"
        | "worker_lost"
        | "internal"
      )
    | null;
  error_step: ("fetch" | "probe" | "plan" | "draw" | "encode" | "sound" | "mux" | "store") | null;
  /** Without paths, links and secrets; at most 4 kB. */
  error_tail: string | null;
  id: string;
  job_id: string;
  /** Place in the job, from 0. */
  position: number;
  link: string;
  /** Null until known. */
  name: string | null;
  /** The place of its clip in each of the job's slots, from 0; null without slots. */
  clips: number[] | null;
  status: VideoStatus;
  stage: ("Fetching" | "Rendering") | null;
  /** 0-100. */
  progress: number;
  attempts: number;
  /** The cooling host that the video waits for, or null. Such a wait uses up no attempts. */
  waits_for: string | null;
  waiting_since: string | null;
  /** Approximate time of the next attempt; null if it only waits for its turn. Computed on read. */
  next_try_at: string | null;
  duration_seconds: number | null;
  started_at: string | null;
  ended_at: string | null;
  updated_at: string;
  created_at: string;
};

export type JobVideosResponse = {
  data: JobVideo[];
};

/** `last4` is null for a short key, of which it would reveal too much. */
export type KeyState = {
  set: boolean;
  last4: string | null;
  updatedAt: string | null;
};

/** Edges, as shares of the frame's width and height. */
export type LayerPlace = {
  left: number;
  right: number;
  top: number;
  bottom: number;
};

/** URLs are signed, and valid for a day without a session. */
export type LibraryFile = {
  id: string;
  name: string;
  kind: LibraryKind;
  link: string;
  /** 0 for images. */
  durationSeconds: number;
  sizeBytes: number;
  /** In hex; null for sample clips. */
  sha256: string | null;
  isSample: boolean;
  /** JPEG of a video or PNG of an image; null for music or if none could be made. */
  thumbnailUrl: string | null;
  mediaUrl: string;
  tags: string[];
  createdAt: string;
  usage: {
    jobs: number;
    unfinishedJobs: number;
    savedIn: number;
    isInCaptionLab: boolean;
  };
};

export type LibraryKind = "video" | "audio" | "image" | "subtitles";

/** `isReady` is false while the first start generates the samples. */
export type LibraryResponse = {
  data: LibraryFile[];
  isReady: boolean;
};

export type ListJobsResponse = {
  jobs: Job[];
  total: number;
};

/** Newest first. */
export type ListTokensResponse = {
  data: ApiToken[];
};

export type ListedFile = {
  link: string;
  name: string;
  size_bytes: number | null;
};

/** `problem`: why other files have no link, or null. */
export type MakeLinksResponse = {
  made: number;
  problem: string | null;
};

export type Manifest = {
  manifest_version: 1;
  job: {
    id: string;
    job_name: string;
    created_at: string;
    ended_at: string;
  };
  request:
    | CreateJobRequest
    | {
        job_name: string;
        rows?: (JobRow[] | null) | undefined;
        slots?: (JobSlot[] | null) | undefined;
        combine?: (("all" | "each") | number | null) | undefined;
        exclude?: (string[][] | null) | undefined;
        start_seconds?: (number | null) | undefined;
        end_seconds?: (number | null) | undefined;
        speed?: (number | null) | undefined;
        max_megabytes?: (number | null) | undefined;
        cover_seconds?: (number | null) | undefined;
        cut_silences_ms?: (number | null) | undefined;
        silence_padding_ms?: (number | null) | undefined;
        cut_fillers?: (boolean | null) | undefined;
        transition_seconds?: (number | null) | undefined;
        audio_crossfade_ms?: (number | null) | undefined;
        even_loudness?: (boolean | null) | undefined;
        intro_link?: (string | null) | undefined;
        outro_link?: (string | null) | undefined;
        captions_enabled?: (boolean | null) | undefined;
        caption_set_id?: (string | null) | undefined;
        custom_captions?: (string[] | null) | undefined;
        caption_style?: (("outline" | "box" | "shadow") | null) | undefined;
        caption_position?: (("top" | "middle" | "bottom") | null) | undefined;
        caption_size?: (("small" | "medium" | "large") | null) | undefined;
        caption_font?: (("sans" | "condensed" | "rounded" | "serif") | null) | undefined;
        caption_weight?: (("medium" | "bold") | null) | undefined;
        caption_color?: (string | null) | undefined;
        caption_box_color?: (string | null) | undefined;
        caption_y?: (number | null) | undefined;
        caption_highlight?: (boolean | null) | undefined;
        caption_start_seconds?: (number | null) | undefined;
        caption_end_seconds?: (number | null) | undefined;
        caption_fade?: ((0 | 200) | null) | undefined;
        subtitles_enabled?: (boolean | null) | undefined;
        subtitles?: (string | null) | undefined;
        subtitle_style?: (("line" | "word" | "karaoke" | "box") | null) | undefined;
        subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
        subtitle_languages?: (string[] | null) | undefined;
        languages?: (string[] | null) | undefined;
        audio_enabled?: (boolean | null) | undefined;
        audio_set_id?: (string | null) | undefined;
        custom_audio_links?: (string[] | null) | undefined;
        audio_mode?: (("replace" | "mix") | null) | undefined;
        watermark_enabled?: (boolean | null) | undefined;
        watermark_text?: (string | null) | undefined;
        watermark_image?: (string | null) | undefined;
        watermark_position?:
          | (
              | (
                  | "top-left"
                  | "top"
                  | "top-right"
                  | "left"
                  | "center"
                  | "right"
                  | "bottom-left"
                  | "bottom"
                  | "bottom-right"
                )
              | null
            )
          | undefined;
        watermark_opacity?: (number | null) | undefined;
        watermark_scale?: (number | null) | undefined;
        layers?: (JobLayer[] | null) | undefined;
        variants_per_video?: (number | null) | undefined;
        video_gain?: (number | null) | undefined;
        music_gain?: (number | null) | undefined;
        loop_audio?: (boolean | null) | undefined;
        ducking_db?: (number | null) | undefined;
        loudness_lufs?: (number | null) | undefined;
        segment_duration?: (number | null) | undefined;
        segmentation_type?: (("single" | "multiple") | null) | undefined;
        platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
        format?: (("source" | "9:16" | "4:5" | "1:1" | "16:9") | null) | undefined;
        formats?: (("source" | "9:16" | "4:5" | "1:1" | "16:9")[] | null) | undefined;
        fit?: (("crop" | "blur" | "pad") | null) | undefined;
        fit_focus?: (("fixed" | "face") | null) | undefined;
        fit_focus_x?: (number | null) | undefined;
        fit_focus_y?: (number | null) | undefined;
        quality?: (("draft" | "standard" | "high") | null) | undefined;
        codec?: (("h264" | "hevc") | null) | undefined;
        proof_count?: (number | null) | undefined;
        proof_pick?: (("first" | "random" | "rows") | null) | undefined;
        proof_rows?: (string | null) | undefined;
        download_enabled?: (boolean | null) | undefined;
        name_pattern?: (string | null) | undefined;
        output_folder?: (string | null) | undefined;
        link_domain_id?: (string | null) | undefined;
        link_target?: (string | null) | undefined;
        link_slug_pattern?: (string | null) | undefined;
        link_utm?: (string | null) | undefined;
        worker_labels?: (string | null) | undefined;
        destinations?: (string[] | null) | undefined;
      };
  /** Shortened links, without their signature or password; they may no longer work. */
  shortened_links: string[];
  outputs: ManifestOutput[];
};

export type ManifestOutput = {
  /** The file's name, in the zip too. */
  output: string;
  /** The video's link. */
  source: string;
  /** The video's place in the job or its table, from 1. */
  row: number;
  /** From 1. */
  variant: number;
  segment: number;
  caption: string | null;
  /** The music's link, for older files its name. */
  track: string | null;
  start_seconds: number | null;
  end_seconds: number | null;
  duration_seconds: string | number | null;
  width: string | number | null;
  height: string | number | null;
  size_bytes: string | number | null;
  /** In hex. */
  sha256: string | null;
  /** URL of its route; null without links. */
  link: string | null;
  /** Redirects so far; null without a link, and in a zip, whose bytes must not change during a download. */
  clicks: number | null;
  /** The name of the file's cover frame, in the zip too; null without one. */
  cover: string | null;
  /** The name of the file's subtitles as SRT, in the zip too, beside the VTT; null without any. */
  subtitles: string | null;
  /** One of `languages` or `subtitle_languages`; null without them. */
  language: string | null;
  track_name: string | null;
  format: "source" | "9:16" | "4:5" | "1:1" | "16:9";
  /** The row's changes, without texts and tracks. */
  settings: {
    start_seconds?: number | undefined;
    end_seconds?: (number | null) | undefined;
    speed?: number | undefined;
    max_megabytes?: (number | null) | undefined;
    cover_seconds?: (number | null) | undefined;
    cut_silences_ms?: number | undefined;
    silence_padding_ms?: number | undefined;
    cut_fillers?: boolean | undefined;
    transition_seconds?: number | undefined;
    audio_crossfade_ms?: number | undefined;
    intro_link?: (string | null) | undefined;
    outro_link?: (string | null) | undefined;
    captions_enabled?: boolean | undefined;
    caption_set_id?: (string | null) | undefined;
    caption_style?: ("outline" | "box" | "shadow") | undefined;
    caption_position?: ("top" | "middle" | "bottom") | undefined;
    caption_size?: ("small" | "medium" | "large") | undefined;
    caption_font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
    caption_weight?: ("medium" | "bold") | undefined;
    caption_color?: string | undefined;
    caption_box_color?: string | undefined;
    caption_y?: (number | null) | undefined;
    caption_highlight?: boolean | undefined;
    caption_start_seconds?: number | undefined;
    caption_end_seconds?: (number | null) | undefined;
    caption_fade?: (0 | 200) | undefined;
    subtitles_enabled?: boolean | undefined;
    subtitles?: (string | null) | undefined;
    subtitle_style?: ("line" | "word" | "karaoke" | "box") | undefined;
    subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
    subtitle_languages?: string[] | undefined;
    languages?: string[] | undefined;
    audio_enabled?: boolean | undefined;
    audio_set_id?: (string | null) | undefined;
    audio_mode?: ("replace" | "mix") | undefined;
    watermark_enabled?: boolean | undefined;
    watermark_text?: (string | null) | undefined;
    watermark_image?: (string | null) | undefined;
    watermark_position?:
      | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
      | undefined;
    watermark_opacity?: number | undefined;
    watermark_scale?: number | undefined;
    variants_per_video?: number | undefined;
    video_gain?: number | undefined;
    music_gain?: number | undefined;
    loop_audio?: boolean | undefined;
    ducking_db?: number | undefined;
    loudness_lufs?: (number | null) | undefined;
    segment_duration?: number | undefined;
    segmentation_type?: (("single" | "multiple") | null) | undefined;
    platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
    format?: ("source" | "9:16" | "4:5" | "1:1" | "16:9") | undefined;
    fit?: ("crop" | "blur" | "pad") | undefined;
    fit_focus?: ("fixed" | "face") | undefined;
    fit_focus_x?: number | undefined;
    fit_focus_y?: number | undefined;
    quality?: ("draft" | "standard" | "high") | undefined;
    codec?: ("h264" | "hevc") | undefined;
  };
  /** The clips of an assembled video, in a row; else empty. */
  parts: {
    slot: string;
    /** From 1. */
    clip: number;
    link: string;
  }[];
  warnings: Warning[];
  /** Null without a platform. */
  conformance: ConformanceReport | null;
};

export type ManifestResponse = {
  data: Manifest;
};

export type MeasuredWorkResponse = {
  /** Null without a completed job to measure. */
  data: {
    /** Seconds of one encode in standard quality per second. */
    speed: number;
    /** How many the workers run at the same time. */
    encodes: number;
    /** Of output. */
    bytesPerSecond: number;
  } | null;
};

export type MissingLimit = "memory" | "network";

export type NewSecretResponse = {
  data: Webhook;
  secret: string;
};

export type OutputLink = {
  output_id: string;
  name: string;
  /** The video's place in the job, from 0. */
  position: number;
  variant: number;
  segment: number;
  route_id: string;
  /** Public, percent-encoded. */
  url: string;
  target: string;
  is_active: boolean;
  /** Total of all days, at most the last 400. */
  clicks: number;
  /** By UTC day, from `first_day` to today. */
  days: number[];
};

/** Why a worker claims no videos; several can apply. */
export type PauseReason =
  | "disk-full"
  | "lease-lost"
  | "worker-paused"
  | "worker-draining"
  | "worker-idle"
  | "worker-stopping"
  | "queue-paused";

export type PendingChange = {
  kind: "added" | "changed" | "removed";
  address: string;
  /** Redirect targets now and after the next publish; null for none. */
  before: string | null;
  after: string | null;
};

export type Platform = "tiktok" | "reels" | "shorts";

/** An account; "integration" in Postiz's API. */
export type PostChannel = {
  id: string;
  name: string;
  service: string;
};

export type Posting = {
  mode: "draft" | "schedule" | "now";
  /** Each gets a post per file. */
  channels: PostChannel[];
};

/** False without a worker next to the server or with prefetching off; repeating the call does not help. */
export type PrefetchResponse = {
  isPrefetching: boolean;
};

/** In the order of the request. */
export type PreflightResponse = {
  videos: PreflightVideo[];
};

/** Facts are null until known, and for folders. */
export type PreflightVideo = {
  link: string;
  /** "pending" until the check ends: send the link again. */
  state: "pending" | "ready" | "problem";
  ok: boolean;
  files?: ListedFile[] | undefined;
  name: string | null;
  duration_seconds: number | null;
  /** In pixels, as displayed. */
  width: number | null;
  height: number | null;
  has_sound: boolean | null;
  /** Why only jobs that replace the sound can use the video. */
  sound_problem: {
    code: ErrorCode;
    message: string;
  } | null;
  size_bytes: number | null;
  /** A data URL. */
  thumbnail_url: string | null;
  problem: {
    code: ErrorCode;
    message: string;
  } | null;
};

/** All job settings except name and videos. */
export type Preset = {
  id: string;
  name: string;
  /** Complete, with the current values of its brand kit and saved sets. */
  settings: PresetSettings;
  /** Settings that this version cannot use. */
  ignored_settings: string[];
  /** Increases with each change of settings or brand kit. */
  version: number;
  brand_kit_id: string | null;
  /** Used by new job forms; at most one. */
  is_default: boolean;
  created_at: string;
  updated_at: string;
};

export type PresetSettings = {
  start_seconds: number;
  end_seconds: number | null;
  speed: number;
  max_megabytes: number | null;
  cover_seconds: number | null;
  cut_silences_ms: number;
  silence_padding_ms: number;
  cut_fillers: boolean;
  transition_seconds: number;
  audio_crossfade_ms: number;
  even_loudness: boolean;
  intro_link: string | null;
  outro_link: string | null;
  captions_enabled: boolean;
  caption_set_id: string | null;
  custom_captions: string[];
  caption_style: "outline" | "box" | "shadow";
  caption_position: "top" | "middle" | "bottom";
  caption_size: "small" | "medium" | "large";
  caption_font: "sans" | "condensed" | "rounded" | "serif";
  caption_weight: "medium" | "bold";
  caption_color: string;
  caption_box_color: string;
  caption_y: number | null;
  caption_highlight: boolean;
  caption_start_seconds: number;
  caption_end_seconds: number | null;
  caption_fade: 0 | 200;
  subtitles_enabled: boolean;
  subtitle_style: "line" | "word" | "karaoke" | "box";
  subtitle_position: ("top" | "middle" | "bottom") | null;
  subtitle_languages: string[];
  languages: string[];
  audio_enabled: boolean;
  audio_set_id: string | null;
  custom_audio_links: string[];
  audio_mode: "replace" | "mix";
  watermark_enabled: boolean;
  watermark_text: string | null;
  watermark_image: string | null;
  watermark_position:
    | "top-left"
    | "top"
    | "top-right"
    | "left"
    | "center"
    | "right"
    | "bottom-left"
    | "bottom"
    | "bottom-right";
  watermark_opacity: number;
  watermark_scale: number;
  layers: JobLayer[];
  variants_per_video: number;
  video_gain: number;
  music_gain: number;
  loop_audio: boolean;
  ducking_db: number;
  loudness_lufs: number | null;
  segment_duration: number;
  segmentation_type: ("single" | "multiple") | null;
  platform: ("tiktok" | "reels" | "shorts") | null;
  format: "source" | "9:16" | "4:5" | "1:1" | "16:9";
  /** Each file is made in each; empty for `format` alone. */
  formats: ("source" | "9:16" | "4:5" | "1:1" | "16:9")[];
  fit: "crop" | "blur" | "pad";
  fit_focus: "fixed" | "face";
  fit_focus_x: number;
  fit_focus_y: number;
  quality: "draft" | "standard" | "high";
  codec: "h264" | "hevc";
  proof_count: number;
  proof_pick: "first" | "random" | "rows";
  proof_rows: string | null;
  download_enabled: boolean;
  name_pattern: string | null;
  output_folder: string | null;
  link_domain_id: string | null;
  link_target: string | null;
  link_slug_pattern: string | null;
  link_utm: string | null;
  worker_labels: string | null;
  destinations: string[];
};

/** Read-only; includes the current version. */
export type PresetVersion = {
  id: string;
  /** Complete, with the current values of its brand kit and saved sets. */
  settings: PresetSettings;
  /** Settings that this version cannot use. */
  ignored_settings: string[];
  /** Increases with each change of settings or brand kit. */
  version: number;
  brand_kit_id: string | null;
  preset_id: string;
  created_at: string;
};

export type PreviewResponse = {
  /** A data: URL with a JPEG. */
  picture: string;
  /** Pixels of the job's files; `picture` may be smaller. */
  width: number;
  height: number;
  caption: CaptionPlace | null;
  /** In their order; null for one that shows nothing. */
  layers: (LayerPlace | null)[];
  /** Which layers keep to. */
  safe_area: LayerPlace;
  isOnVideo: boolean;
  /** Why the video or an image is missing. */
  reason: string | null;
  /** The video is being fetched: poll again. */
  isPending: boolean;
};

/** RFC 9457 with more fields: an error of a function, upload or download. */
export type Problem = {
  error: string;
  /** Stable, for programs. */
  code:
    | "invalid"
    | "not_found"
    | "unauthorized"
    | "forbidden"
    | "reauthentication_needed"
    | "conflict"
    | "key_reused"
    | "in_progress"
    | "too_many"
    | "unknown_encoding"
    | "too_large"
    | "too_short"
    | "bad_link"
    | "not_shared"
    | "source_not_found"
    | "not_a_video"
    | "not_audio"
    | "bad_subtitles"
    | "not_an_image"
    | "unsupported_codec"
    | "damaged"
    | "unrenderable"
    | "incomplete"
    | "bad_key"
    | "no_tool"
    | "not_transcribed"
    | "quota_exceeded"
    | "rate_limited"
    | "network"
    | "unavailable"
    | "no_space"
    | "render_failed"
    | "system_error"
    | "worker_lost"
    | "internal"
    | "cancelled"
    | "unexpected_failure"
    | "starting";
  remedy: string;
  status: number;
  /** The code's description in the reference, relative to the server. */
  type: string;
  title?: string | undefined;
};

export type PublishResult = {
  success: boolean;
  message: string | null;
  error: string | null;
};

export type PublishedVersion = {
  version: number;
  publishedAt: string;
  /** Email address; null if the account was deleted. */
  publishedBy: string | null;
  routes: number;
  isCurrent: boolean;
};

export type QueueState = {
  isPaused: boolean;
  pausedAt: string | null;
  pausedBy: string | null;
  waiting: number;
  /** How long the first has been ready. */
  oldestWaitingSeconds: number;
  /** Videos of held jobs. */
  held: number;
  /** Waiting for a retry. */
  postponed: number;
  active: number;
};

export type RetryNowResponse = {
  success: boolean;
  error?: string | undefined;
};

/** Omits files that were deleted or are being made again. */
export type ReviewResponse = {
  data: JobOutput[];
};

export type Route = {
  id: string;
  domain_id: string;
  /** No leading slashes; `__root__` for the domain itself. */
  slug: string;
  primary_url: string;
  fallback_url: string | null;
  active: boolean;
  created_at: string;
};

/** Only routes with a fallback are checked. */
export type RouteHealth = {
  routeId: string;
  state: "up" | "down" | "unknown";
  checkedAt: string | null;
  reason: string | null;
};

export type RowSettings = {
  start_seconds?: number | undefined;
  end_seconds?: (number | null) | undefined;
  speed?: number | undefined;
  max_megabytes?: (number | null) | undefined;
  cover_seconds?: (number | null) | undefined;
  cut_silences_ms?: number | undefined;
  silence_padding_ms?: number | undefined;
  cut_fillers?: boolean | undefined;
  transition_seconds?: number | undefined;
  audio_crossfade_ms?: number | undefined;
  intro_link?: (string | null) | undefined;
  outro_link?: (string | null) | undefined;
  captions_enabled?: boolean | undefined;
  caption_set_id?: (string | null) | undefined;
  custom_captions?: string[] | undefined;
  caption_style?: ("outline" | "box" | "shadow") | undefined;
  caption_position?: ("top" | "middle" | "bottom") | undefined;
  caption_size?: ("small" | "medium" | "large") | undefined;
  caption_font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
  caption_weight?: ("medium" | "bold") | undefined;
  caption_color?: string | undefined;
  caption_box_color?: string | undefined;
  caption_y?: (number | null) | undefined;
  caption_highlight?: boolean | undefined;
  caption_start_seconds?: number | undefined;
  caption_end_seconds?: (number | null) | undefined;
  caption_fade?: (0 | 200) | undefined;
  subtitles_enabled?: boolean | undefined;
  subtitles?: (string | null) | undefined;
  subtitle_style?: ("line" | "word" | "karaoke" | "box") | undefined;
  subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
  subtitle_languages?: string[] | undefined;
  languages?: string[] | undefined;
  audio_enabled?: boolean | undefined;
  audio_set_id?: (string | null) | undefined;
  custom_audio_links?: string[] | undefined;
  audio_mode?: ("replace" | "mix") | undefined;
  watermark_enabled?: boolean | undefined;
  watermark_text?: (string | null) | undefined;
  watermark_image?: (string | null) | undefined;
  watermark_position?:
    | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
    | undefined;
  watermark_opacity?: number | undefined;
  watermark_scale?: number | undefined;
  variants_per_video?: number | undefined;
  video_gain?: number | undefined;
  music_gain?: number | undefined;
  loop_audio?: boolean | undefined;
  ducking_db?: number | undefined;
  loudness_lufs?: (number | null) | undefined;
  segment_duration?: number | undefined;
  segmentation_type?: (("single" | "multiple") | null) | undefined;
  platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
  format?: ("source" | "9:16" | "4:5" | "1:1" | "16:9") | undefined;
  fit?: ("crop" | "blur" | "pad") | undefined;
  fit_focus?: ("fixed" | "face") | undefined;
  fit_focus_x?: number | undefined;
  fit_focus_y?: number | undefined;
  quality?: ("draft" | "standard" | "high") | undefined;
  codec?: ("h264" | "hevc") | undefined;
};

/** Only the action test sends "test"; nobody subscribes to it. */
export type SentType =
  | "job.started"
  | "job.proof_ready"
  | "job.completed"
  | "job.failed"
  | "job.cancelled"
  | "output.completed"
  | "published"
  | "test";

export type SessionsResponse = {
  data: AccountSession[];
};

/** `saved_defaults` lists the saved preferences, which override the job screen's. */
export type SettingsResponse = {
  google_drive_key: KeyState;
  openai_key: KeyState;
  text_key: KeyState;
  vision_key: KeyState;
  transcription_key: KeyState;
  default_variants: number;
  default_audio_mode: "replace" | "mix";
  default_video_gain: number;
  default_music_gain: number;
  batch_scheduler_url: string | null;
  warmup_robot_url: string | null;
  /** Generates captions, and translates captions and subtitles. Null uses OpenAI. */
  text_base_url: string | null;
  /** Null uses the default model. */
  text_model: string | null;
  /** Writes captions for videos. Null uses OpenAI. */
  vision_base_url: string | null;
  /** Null uses the default model. */
  vision_model: string | null;
  /** Null uses OpenAI. */
  transcription_base_url: string | null;
  /** Null picks one of the server's models. */
  transcription_model: string | null;
  /** True if a key or a server is set, so that subtitles can be made from speech. */
  can_transcribe: boolean;
  /** Set by the environment: read-only. */
  fixed_settings: (
    | "batch_scheduler_url"
    | "warmup_robot_url"
    | "text_base_url"
    | "text_model"
    | "vision_base_url"
    | "vision_model"
    | "transcription_base_url"
    | "transcription_model"
  )[];
  saved_defaults: ("default_variants" | "default_audio_mode" | "default_video_gain" | "default_music_gain")[];
  source_hosts: SourceHostName[];
  /** Non-public `host:port` addresses from which the environment allows files. */
  private_sources: string[];
  /** Days after a job ends; null keeps files forever. */
  output_retention_days?: (number | null) | undefined;
  /** How names are spelled in new transcripts. `from` is a common misspelling. */
  transcript_names: {
    from?: string | undefined;
    to: string;
  }[];
  /** Terms that caption translations keep, or always translate the same way. */
  glossary: GlossaryTerm[];
  /** Fetches sources while the form is open and before their videos start. */
  prefetch_sources: boolean;
};

/** `path` is the guest's page; null for a revoked link. */
export type ShareResponse = {
  data: GuestLink;
  path: string | null;
};

/** Null while the video is being fetched or analyzed: poll again. */
export type SilencesResponse = {
  /** Of the video, or the part of it that the job uses. */
  seconds: number | null;
  cut_seconds: number | null;
  /** Without any, nothing is cut. */
  has_speech: boolean | null;
};

/** Stored with waiting videos: never rename one. */
export type SourceHostName =
  | "library"
  | "google-drive"
  | "instagram"
  | "dropbox"
  | "onedrive"
  | "s3"
  | "video-sites"
  | "web";

/** Plays the source for a day, if its host and the browser can. */
export type SourceLinkResponse = {
  url: string;
};

export type SuccessResponse = {
  success: true;
};

export type SystemResponse = {
  /** Those with a heartbeat in the last 15 s first, then by name. */
  workers: FleetWorker[];
  queue: QueueState;
  hosts: HostCooldown[];
  version: string;
  database: "embedded" | "postgresql";
  storage: "folder" | "s3";
};

/** PostgREST's format. */
export type TableError = {
  code: string;
  message: string;
  details: string | null;
  hint: string | null;
};

export type TableProblem = {
  /** From 1, below the header; 0 is the header or the entire table. */
  row: number;
  /** Empty if no single column has the problem. */
  column: string;
  message: string;
};

export type TestConnectionResponse = {
  isValid: boolean;
  message: string;
  /** Values for the operator to accept, such as `host_key_fingerprint`. */
  found?:
    | {
        [name: string]: string;
      }
    | undefined;
};

export type TestDestinationResponse = {
  isValid: boolean;
  message: string;
};

/** Without a key, tests the saved one. */
export type TestKeyResponse = {
  isValid: boolean;
  message: string;
};

/** The words of a source, shared by all videos with its content. `revision` increases with each change. */
export type Transcript = {
  id: string;
  /** The source's file name. */
  name: string;
  status: TranscriptStatus;
  /** In percent. */
  progress: number;
  error_message: string | null;
  /** Null until completed. */
  origin: TranscriptOrigin | null;
  /** A BCP 47 tag; null if it is not known. */
  language: string | null;
  revision: number;
  /** When an operator last changed it. */
  edited_at: string | null;
  duration_seconds: number;
  line_count: number;
  /** The 20 newest videos that use it. */
  videos: {
    job_id: string;
    job_name: string;
    video_id: string;
    /** In the job, from 0. */
    position: number;
    /** The video's file name; null until fetched. */
    name: string | null;
  }[];
  created_at: string;
  updated_at: string;
};

/** A sentence, or a cue of a file. Lines may overlap. */
export type TranscriptLine = {
  startSeconds: number;
  endSeconds: number;
  /** At least one. */
  words: TranscriptWord[];
};

export type TranscriptOrigin = "file" | "server" | "local";

export type TranscriptResponse = {
  data: WholeTranscript;
};

export type TranscriptStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";

/** Times are in seconds on the source's clock, in whole milliseconds. */
export type TranscriptWord = {
  /** Includes what follows the word in its line: a space, a line break, or nothing in scripts without spaces. */
  text: string;
  startSeconds: number;
  endSeconds: number;
  /** The model's confidence, from 0 to 1. */
  confidence?: number | undefined;
  /** True for a word that is not shown, such as a filler. */
  hidden?: boolean | undefined;
};

/** Newest first. `total` counts all. */
export type TranscriptsResponse = {
  data: Transcript[];
  total: number;
};

/** `isDuplicate`: the library had the same content and returns that file. */
export type UploadResponse = {
  data: LibraryFile;
  isDuplicate: boolean;
};

export type VideoCaption = {
  link: string;
  name: string | null;
  status: CaptionTaskStatus;
  stage: ("Fetching" | "Watching" | "Listening" | "Writing") | null;
  caption: string | null;
  error: string | null;
};

/** Also of outputs. */
export type VideoStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";

/** `code` is stable. */
export type Warning = {
  code:
    | "letters_missing"
    | "caption_cut"
    | "caption_not_shown"
    | "picture_damaged"
    | "end_missing"
    | "sound_damaged"
    | "silences_not_cut"
    | "fillers_not_cut"
    | "faces_not_followed"
    | "subtitles_not_shown";
  message: string;
};

/** A version of a file: one replaced under the same name is listed twice. */
export type WatchFile = {
  id: string;
  name: string;
  size_bytes: number | null;
  state: "seen" | "taken" | "skipped" | "failed";
  /** Why it was left out or still waits. */
  reason: string | null;
  /** The last job made from it; null if none or deleted. */
  job: {
    id: string;
    name: string;
    status: "Queued" | "Processing" | "Cancelling" | "Completed" | "Failed" | "Cancelled";
  } | null;
  /** No longer in the folder. */
  is_missing: boolean;
  first_seen_at: string;
  taken_at: string | null;
};

export type WatchFilesResponse = {
  data: WatchFile[];
};

export type WatchFolder = {
  id: string;
  name: string;
  kind: "local" | "s3" | "google-drive" | "drive" | "dropbox" | "sftp";
  /** `local`: the folder's name. `s3`, `google-drive`: its link. `drive`: its link or ID. `dropbox`, `sftp`: its path. */
  place: string;
  /** Null for kinds without one or a removed connection. */
  connection_id: string | null;
  connection_name: string | null;
  preset_id: string | null;
  preset_name: string | null;
  job_name: string;
  grouping: "batch" | "file";
  interval_seconds: number;
  settle_seconds: number;
  existing: "skip" | "take";
  /** Null while checked. */
  paused_at: string | null;
  /** Null if an operator paused it. */
  pause_reason: string | null;
  last_check_at: string | null;
  last_fault: string | null;
  files: {
    failed: number;
    seen: number;
    skipped: number;
    taken: number;
  };
  version: number;
  created_at: string;
  updated_at: string;
};

export type WatchFolderResponse = {
  data: WatchFolder;
};

/** `local_folders` are this server's. */
export type WatchFoldersResponse = {
  data: WatchFolder[];
  local_folders: string[];
};

/** The secret is returned only when created. */
export type Webhook = {
  id: string;
  url: string;
  events: (
    | "job.started"
    | "job.proof_ready"
    | "job.completed"
    | "job.failed"
    | "job.cancelled"
    | "output.completed"
    | "published"
  )[];
  enabled: boolean;
  disabled_reason: ("gone" | "failing") | null;
  /** No delivery has succeeded since; null unless the last one failed. */
  failing_since: string | null;
  /** Until then, the secret before the last rotation also signs. */
  previous_secret_until: string | null;
  /** The saved secret cannot be decrypted: rotate it. */
  needs_secret: boolean;
  pending: number;
  last_delivery: {
    id: string;
    type: SentType;
    status: WebhookDeliveryStatus;
    created_at: string;
  } | null;
  created_at: string;
  updated_at: string;
};

export type WebhookDeliveriesResponse = {
  data: WebhookDelivery[];
};

/** An event for one webhook. `event_id` is the header webhook-id, the same for every attempt and replay. */
export type WebhookDelivery = {
  id: string;
  event_id: string;
  type: SentType;
  status: WebhookDeliveryStatus;
  attempts: number;
  last_attempt: {
    at: string;
    /** Null without a response. */
    status: number | null;
    milliseconds: number;
    /** Null if it succeeded. */
    error: string | null;
  } | null;
  next_attempt_at: string | null;
  created_at: string;
};

export type WebhookDeliveryResponse = {
  data: WholeWebhookDelivery;
};

export type WebhookDeliveryStatus = "pending" | "delivered" | "failed";

export type WebhookResponse = {
  data: Webhook;
};

export type WebhooksResponse = {
  data: Webhook[];
};

/** With all its lists. Times are ISO 8601. */
export type WholeJob = {
  job_name: string;
  input_videos: string[];
  rows: JobRow[];
  slots: JobSlot[];
  combine: ("all" | "each") | number;
  /** Clips by link, or by slot and number: `Hook 3`. */
  exclude: string[][];
  start_seconds: number;
  end_seconds: number | null;
  speed: number;
  max_megabytes: number | null;
  cover_seconds: number | null;
  cut_silences_ms: number;
  silence_padding_ms: number;
  cut_fillers: boolean;
  transition_seconds: number;
  audio_crossfade_ms: number;
  even_loudness: boolean;
  intro_link: string | null;
  outro_link: string | null;
  captions_enabled: boolean;
  caption_set_id: string | null;
  custom_captions: string[];
  caption_style: "outline" | "box" | "shadow";
  caption_position: "top" | "middle" | "bottom";
  caption_size: "small" | "medium" | "large";
  caption_font: "sans" | "condensed" | "rounded" | "serif";
  caption_weight: "medium" | "bold";
  caption_color: string;
  caption_box_color: string;
  caption_y: number | null;
  caption_highlight: boolean;
  caption_start_seconds: number;
  caption_end_seconds: number | null;
  caption_fade: 0 | 200;
  subtitles_enabled: boolean;
  subtitles: string | null;
  subtitle_style: "line" | "word" | "karaoke" | "box";
  subtitle_position: ("top" | "middle" | "bottom") | null;
  subtitle_languages: string[];
  languages: string[];
  audio_enabled: boolean;
  audio_set_id: string | null;
  custom_audio_links: string[];
  audio_mode: "replace" | "mix";
  watermark_enabled: boolean;
  watermark_text: string | null;
  watermark_image: string | null;
  watermark_position:
    | "top-left"
    | "top"
    | "top-right"
    | "left"
    | "center"
    | "right"
    | "bottom-left"
    | "bottom"
    | "bottom-right";
  watermark_opacity: number;
  watermark_scale: number;
  layers: JobLayer[];
  variants_per_video: number;
  video_gain: number;
  music_gain: number;
  loop_audio: boolean;
  ducking_db: number;
  loudness_lufs: number | null;
  segment_duration: number;
  segmentation_type: ("single" | "multiple") | null;
  platform: ("tiktok" | "reels" | "shorts") | null;
  format: "source" | "9:16" | "4:5" | "1:1" | "16:9";
  /** Each file is made in each; empty for `format` alone. */
  formats: ("source" | "9:16" | "4:5" | "1:1" | "16:9")[];
  fit: "crop" | "blur" | "pad";
  fit_focus: "fixed" | "face";
  fit_focus_x: number;
  fit_focus_y: number;
  quality: "draft" | "standard" | "high";
  codec: "h264" | "hevc";
  proof_count: number;
  proof_pick: "first" | "random" | "rows";
  proof_rows: string | null;
  download_enabled: boolean;
  name_pattern: string | null;
  output_folder: string | null;
  link_domain_id: string | null;
  link_target: string | null;
  link_slug_pattern: string | null;
  link_utm: string | null;
  worker_labels: string | null;
  destinations: string[];
  id: string;
  status: "Queued" | "Processing" | "Cancelling" | "Completed" | "Failed" | "Cancelled";
  /** Rank among Queued jobs, from 1; null while held or not Queued. Computed on read. */
  queue_position: number | null;
  /** The job's page; null until it has an output. */
  folder_link: string | null;
  /** Signed relative URL, valid for 24 h; null without a zip. */
  download_url: string | null;
  /** Signed: manifest.json, or manifest.csv with `&format=csv`; null without a zip. */
  manifest_url: string | null;
  /** Signed: a picture of a finished file; null without one. */
  thumbnail_url?: (string | null) | undefined;
  error_message: string | null;
  /** Encoded share of all outputs' time, 0-100; failed videos count as done. Never falls while the job runs. */
  progress: number;
  /** Remaining seconds at the measured speed; null unless Processing and measured. Computed on read. */
  seconds_left: number | null;
  current_video: number | null;
  total_videos: number;
  /** Failed videos of a running or completed job, else null. Computed on read. */
  failed_videos: number | null;
  /** Waiting to start; null unless Queued or Processing. Computed on read. */
  waiting_videos: number | null;
  retry_count: number;
  max_retries: number;
  processing_started_at: string | null;
  /** When retention deleted its files; null while they exist. */
  files_deleted_at?: (string | null) | undefined;
  /** When retention deletes its files; null without files or if kept forever. Computed on read. */
  files_kept_until: string | null;
  proof_state: ("making" | "waiting" | "approved" | "stopped") | null;
  /** Samples are ready for a decision; nothing of the job runs. */
  awaiting_approval: boolean;
  /** How long it waited for approvals, without the current wait. Not counted as elapsed. */
  awaited_seconds?: number | undefined;
  /** When the current wait for an approval started. */
  awaiting_since?: (string | null) | undefined;
  /** When the job was put on hold; null if not held. */
  held_at: string | null;
  updated_at: string;
  created_at: string;
};

/** A transcript with its lines. `media_url` plays the source for a day, if its host and the browser support it. */
export type WholeTranscript = {
  id: string;
  /** The source's file name. */
  name: string;
  status: TranscriptStatus;
  /** In percent. */
  progress: number;
  error_message: string | null;
  /** Null until completed. */
  origin: TranscriptOrigin | null;
  /** A BCP 47 tag; null if it is not known. */
  language: string | null;
  revision: number;
  /** When an operator last changed it. */
  edited_at: string | null;
  duration_seconds: number;
  line_count: number;
  /** The 20 newest videos that use it. */
  videos: {
    job_id: string;
    job_name: string;
    video_id: string;
    /** In the job, from 0. */
    position: number;
    /** The video's file name; null until fetched. */
    name: string | null;
  }[];
  created_at: string;
  updated_at: string;
  media_url: string;
  lines: TranscriptLine[];
};

/** `body` is sent byte for byte. */
export type WholeWebhookDelivery = {
  id: string;
  event_id: string;
  type: SentType;
  status: WebhookDeliveryStatus;
  last_attempt: {
    at: string;
    /** Null without a response. */
    status: number | null;
    milliseconds: number;
    /** Null if it succeeded. */
    error: string | null;
  } | null;
  next_attempt_at: string | null;
  created_at: string;
  body: string;
  attempts: Attempt[];
};

export type WorkerMedia = {
  /** Its version string. */
  ffmpeg: string;
  origin: FfmpegOrigin;
  missingLimits: MissingLimit[];
  /** Absent in older workers. */
  encoder?: EncoderState | undefined;
};

export type WorkerTask = {
  jobId: string;
  jobName: string;
  videoId: string;
  /** From 0. */
  position: number;
  videoName: string | null;
  stage: ("Fetching" | "Rendering") | null;
  /** 0-100. */
  progress: number;
};

export type JobsCreateRequest = {
  action?: "create" | undefined;
  job_name: string;
  input_videos?: (string[] | null) | undefined;
  rows?:
    | (
        | {
            link: string;
            settings?:
              | {
                  start_seconds?: (number | null) | undefined;
                  end_seconds?: (number | null) | undefined;
                  speed?: (number | null) | undefined;
                  max_megabytes?: (number | null) | undefined;
                  cover_seconds?: (number | null) | undefined;
                  cut_silences_ms?: (number | null) | undefined;
                  silence_padding_ms?: (number | null) | undefined;
                  cut_fillers?: (boolean | null) | undefined;
                  transition_seconds?: (number | null) | undefined;
                  audio_crossfade_ms?: (number | null) | undefined;
                  intro_link?: (string | null) | undefined;
                  outro_link?: (string | null) | undefined;
                  captions_enabled?: (boolean | null) | undefined;
                  caption_set_id?: (string | null) | undefined;
                  custom_captions?: (string[] | null) | undefined;
                  caption_style?: (("outline" | "box" | "shadow") | null) | undefined;
                  caption_position?: (("top" | "middle" | "bottom") | null) | undefined;
                  caption_size?: (("small" | "medium" | "large") | null) | undefined;
                  caption_font?: (("sans" | "condensed" | "rounded" | "serif") | null) | undefined;
                  caption_weight?: (("medium" | "bold") | null) | undefined;
                  caption_color?: (string | null) | undefined;
                  caption_box_color?: (string | null) | undefined;
                  caption_y?: (number | null) | undefined;
                  caption_highlight?: (boolean | null) | undefined;
                  caption_start_seconds?: (number | null) | undefined;
                  caption_end_seconds?: (number | null) | undefined;
                  caption_fade?: ((0 | 200) | null) | undefined;
                  subtitles_enabled?: (boolean | null) | undefined;
                  subtitles?: (string | null) | undefined;
                  subtitle_style?: (("line" | "word" | "karaoke" | "box") | null) | undefined;
                  subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
                  subtitle_languages?: (string[] | null) | undefined;
                  languages?: (string[] | null) | undefined;
                  audio_enabled?: (boolean | null) | undefined;
                  audio_set_id?: (string | null) | undefined;
                  custom_audio_links?: (string[] | null) | undefined;
                  audio_mode?: (("replace" | "mix") | null) | undefined;
                  watermark_enabled?: (boolean | null) | undefined;
                  watermark_text?: (string | null) | undefined;
                  watermark_image?: (string | null) | undefined;
                  watermark_position?:
                    | (
                        | (
                            | "top-left"
                            | "top"
                            | "top-right"
                            | "left"
                            | "center"
                            | "right"
                            | "bottom-left"
                            | "bottom"
                            | "bottom-right"
                          )
                        | null
                      )
                    | undefined;
                  watermark_opacity?: (number | null) | undefined;
                  watermark_scale?: (number | null) | undefined;
                  variants_per_video?: (number | null) | undefined;
                  video_gain?: (number | null) | undefined;
                  music_gain?: (number | null) | undefined;
                  loop_audio?: (boolean | null) | undefined;
                  ducking_db?: (number | null) | undefined;
                  loudness_lufs?: (number | null) | undefined;
                  segment_duration?: (number | null) | undefined;
                  segmentation_type?: (("single" | "multiple") | null) | undefined;
                  platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
                  format?: (("source" | "9:16" | "4:5" | "1:1" | "16:9") | null) | undefined;
                  fit?: (("crop" | "blur" | "pad") | null) | undefined;
                  fit_focus?: (("fixed" | "face") | null) | undefined;
                  fit_focus_x?: (number | null) | undefined;
                  fit_focus_y?: (number | null) | undefined;
                  quality?: (("draft" | "standard" | "high") | null) | undefined;
                  codec?: (("h264" | "hevc") | null) | undefined;
                }
              | undefined;
            pass?:
              | {
                  [name: string]: string;
                }
              | undefined;
            name?: string | undefined;
          }[]
        | null
      )
    | undefined;
  slots?:
    | (
        | {
            name: string;
            clips: {
              link: string;
              start_seconds?: number | undefined;
              end_seconds?: (number | null) | undefined;
              subtitles?: (string | null) | undefined;
              speed?: number | undefined;
            }[];
            captions?: string[] | undefined;
          }[]
        | null
      )
    | undefined;
  combine?: (("all" | "each") | number | null) | undefined;
  exclude?: (string[][] | null) | undefined;
  start_seconds?: (number | null) | undefined;
  end_seconds?: (number | null) | undefined;
  speed?: (number | null) | undefined;
  max_megabytes?: (number | null) | undefined;
  cover_seconds?: (number | null) | undefined;
  cut_silences_ms?: (number | null) | undefined;
  silence_padding_ms?: (number | null) | undefined;
  cut_fillers?: (boolean | null) | undefined;
  transition_seconds?: (number | null) | undefined;
  audio_crossfade_ms?: (number | null) | undefined;
  even_loudness?: (boolean | null) | undefined;
  intro_link?: (string | null) | undefined;
  outro_link?: (string | null) | undefined;
  captions_enabled?: (boolean | null) | undefined;
  caption_set_id?: (string | null) | undefined;
  custom_captions?: (string[] | null) | undefined;
  caption_style?: (("outline" | "box" | "shadow") | null) | undefined;
  caption_position?: (("top" | "middle" | "bottom") | null) | undefined;
  caption_size?: (("small" | "medium" | "large") | null) | undefined;
  caption_font?: (("sans" | "condensed" | "rounded" | "serif") | null) | undefined;
  caption_weight?: (("medium" | "bold") | null) | undefined;
  caption_color?: (string | null) | undefined;
  caption_box_color?: (string | null) | undefined;
  caption_y?: (number | null) | undefined;
  caption_highlight?: (boolean | null) | undefined;
  caption_start_seconds?: (number | null) | undefined;
  caption_end_seconds?: (number | null) | undefined;
  caption_fade?: ((0 | 200) | null) | undefined;
  subtitles_enabled?: (boolean | null) | undefined;
  subtitles?: (string | null) | undefined;
  subtitle_style?: (("line" | "word" | "karaoke" | "box") | null) | undefined;
  subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
  subtitle_languages?: (string[] | null) | undefined;
  languages?: (string[] | null) | undefined;
  audio_enabled?: (boolean | null) | undefined;
  audio_set_id?: (string | null) | undefined;
  custom_audio_links?: (string[] | null) | undefined;
  audio_mode?: (("replace" | "mix") | null) | undefined;
  watermark_enabled?: (boolean | null) | undefined;
  watermark_text?: (string | null) | undefined;
  watermark_image?: (string | null) | undefined;
  watermark_position?:
    | (
        | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
        | null
      )
    | undefined;
  watermark_opacity?: (number | null) | undefined;
  watermark_scale?: (number | null) | undefined;
  layers?:
    | (
        | (
            | {
                kind: "text";
                text: string;
                position?:
                  | (
                      | "top-left"
                      | "top"
                      | "top-right"
                      | "left"
                      | "center"
                      | "right"
                      | "bottom-left"
                      | "bottom"
                      | "bottom-right"
                    )
                  | undefined;
                x?: (number | null) | undefined;
                y?: (number | null) | undefined;
                opacity?: number | undefined;
                start_seconds?: number | undefined;
                end_seconds?: (number | null) | undefined;
                fade?: (0 | 200) | undefined;
                size?: number | undefined;
                style?: ("outline" | "box" | "shadow") | undefined;
                font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
                weight?: ("medium" | "bold") | undefined;
                color?: string | undefined;
                box_color?: string | undefined;
              }
            | {
                kind: "image";
                image: string;
                position?:
                  | (
                      | "top-left"
                      | "top"
                      | "top-right"
                      | "left"
                      | "center"
                      | "right"
                      | "bottom-left"
                      | "bottom"
                      | "bottom-right"
                    )
                  | undefined;
                x?: (number | null) | undefined;
                y?: (number | null) | undefined;
                opacity?: number | undefined;
                start_seconds?: number | undefined;
                end_seconds?: (number | null) | undefined;
                fade?: (0 | 200) | undefined;
                size?: number | undefined;
              }
          )[]
        | null
      )
    | undefined;
  variants_per_video?: (number | null) | undefined;
  video_gain?: (number | null) | undefined;
  music_gain?: (number | null) | undefined;
  loop_audio?: (boolean | null) | undefined;
  ducking_db?: (number | null) | undefined;
  loudness_lufs?: (number | null) | undefined;
  segment_duration?: (number | null) | undefined;
  segmentation_type?: (("single" | "multiple") | null) | undefined;
  platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
  format?: (("source" | "9:16" | "4:5" | "1:1" | "16:9") | null) | undefined;
  formats?: (("source" | "9:16" | "4:5" | "1:1" | "16:9")[] | null) | undefined;
  fit?: (("crop" | "blur" | "pad") | null) | undefined;
  fit_focus?: (("fixed" | "face") | null) | undefined;
  fit_focus_x?: (number | null) | undefined;
  fit_focus_y?: (number | null) | undefined;
  quality?: (("draft" | "standard" | "high") | null) | undefined;
  codec?: (("h264" | "hevc") | null) | undefined;
  proof_count?: (number | null) | undefined;
  proof_pick?: (("first" | "random" | "rows") | null) | undefined;
  proof_rows?: (string | null) | undefined;
  download_enabled?: (boolean | null) | undefined;
  name_pattern?: (string | null) | undefined;
  output_folder?: (string | null) | undefined;
  link_domain_id?: (string | null) | undefined;
  link_target?: (string | null) | undefined;
  link_slug_pattern?: (string | null) | undefined;
  link_utm?: (string | null) | undefined;
  worker_labels?: (string | null) | undefined;
  destinations?: (string[] | null) | undefined;
  idempotency_key?: (string | null) | undefined;
  manifest?:
    | {
        manifest_version: number;
        request: {
          [name: string]: unknown;
        };
      }
    | undefined;
};

export type JobsListRequest = {
  page?: number | undefined;
  limit?: number | undefined;
  search?: string | undefined;
  status?: ("Queued" | "Processing" | "Cancelling" | "Completed" | "Failed" | "Cancelled" | "all" | "") | undefined;
  type?: ("captions" | "audio" | "all" | "") | undefined;
  ids?: string[] | undefined;
};

export type JobsDashboardRequest = {
  /** The start of today. */
  since?: string | undefined;
};

export type JobsMeasuredWorkRequest = Record<string, never>;

export type JobsVideosRequest = {
  jobId: string;
};

export type JobsOutputsRequest = {
  jobId: string;
};

export type JobsEventsRequest = {
  jobId: string;
  limit?: number | undefined;
};

export type JobsManifestRequest = {
  jobId: string;
};

export type JobsFeedbackRequest = {
  jobId: string;
};

export type JobsApprovedRequest = {
  jobId: string;
};

export type JobsLinksRequest = {
  jobId: string;
};

export type JobsSourceRequest = {
  videoId: string;
};

export type JobsRetryRequest = {
  jobId: string;
};

export type JobsRetryNowRequest = {
  jobId: string;
  videoId?: string | undefined;
  /** Only videos with this `error_message`. */
  reason?: string | undefined;
};

export type JobsBumpRequest = {
  jobId: string;
};

export type JobsHoldRequest = {
  jobId: string;
};

export type JobsReleaseRequest = {
  jobId: string;
};

export type JobsApproveRequest = {
  jobId: string;
  /** The IDs of the samples that you saw; 409 if they have changed. */
  samples?: string[] | undefined;
};

export type JobsStopRequest = {
  jobId: string;
};

export type JobsMakeLinksRequest = {
  jobId: string;
};

export type JobsChangeRequest = {
  jobId: string;
  settings: {
    job_name?: string | undefined;
    input_videos?: (string[] | null) | undefined;
    rows?:
      | (
          | {
              link: string;
              settings?:
                | {
                    start_seconds?: (number | null) | undefined;
                    end_seconds?: (number | null) | undefined;
                    speed?: (number | null) | undefined;
                    max_megabytes?: (number | null) | undefined;
                    cover_seconds?: (number | null) | undefined;
                    cut_silences_ms?: (number | null) | undefined;
                    silence_padding_ms?: (number | null) | undefined;
                    cut_fillers?: (boolean | null) | undefined;
                    transition_seconds?: (number | null) | undefined;
                    audio_crossfade_ms?: (number | null) | undefined;
                    intro_link?: (string | null) | undefined;
                    outro_link?: (string | null) | undefined;
                    captions_enabled?: (boolean | null) | undefined;
                    caption_set_id?: (string | null) | undefined;
                    custom_captions?: (string[] | null) | undefined;
                    caption_style?: (("outline" | "box" | "shadow") | null) | undefined;
                    caption_position?: (("top" | "middle" | "bottom") | null) | undefined;
                    caption_size?: (("small" | "medium" | "large") | null) | undefined;
                    caption_font?: (("sans" | "condensed" | "rounded" | "serif") | null) | undefined;
                    caption_weight?: (("medium" | "bold") | null) | undefined;
                    caption_color?: (string | null) | undefined;
                    caption_box_color?: (string | null) | undefined;
                    caption_y?: (number | null) | undefined;
                    caption_highlight?: (boolean | null) | undefined;
                    caption_start_seconds?: (number | null) | undefined;
                    caption_end_seconds?: (number | null) | undefined;
                    caption_fade?: ((0 | 200) | null) | undefined;
                    subtitles_enabled?: (boolean | null) | undefined;
                    subtitles?: (string | null) | undefined;
                    subtitle_style?: (("line" | "word" | "karaoke" | "box") | null) | undefined;
                    subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
                    subtitle_languages?: (string[] | null) | undefined;
                    languages?: (string[] | null) | undefined;
                    audio_enabled?: (boolean | null) | undefined;
                    audio_set_id?: (string | null) | undefined;
                    custom_audio_links?: (string[] | null) | undefined;
                    audio_mode?: (("replace" | "mix") | null) | undefined;
                    watermark_enabled?: (boolean | null) | undefined;
                    watermark_text?: (string | null) | undefined;
                    watermark_image?: (string | null) | undefined;
                    watermark_position?:
                      | (
                          | (
                              | "top-left"
                              | "top"
                              | "top-right"
                              | "left"
                              | "center"
                              | "right"
                              | "bottom-left"
                              | "bottom"
                              | "bottom-right"
                            )
                          | null
                        )
                      | undefined;
                    watermark_opacity?: (number | null) | undefined;
                    watermark_scale?: (number | null) | undefined;
                    variants_per_video?: (number | null) | undefined;
                    video_gain?: (number | null) | undefined;
                    music_gain?: (number | null) | undefined;
                    loop_audio?: (boolean | null) | undefined;
                    ducking_db?: (number | null) | undefined;
                    loudness_lufs?: (number | null) | undefined;
                    segment_duration?: (number | null) | undefined;
                    segmentation_type?: (("single" | "multiple") | null) | undefined;
                    platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
                    format?: (("source" | "9:16" | "4:5" | "1:1" | "16:9") | null) | undefined;
                    fit?: (("crop" | "blur" | "pad") | null) | undefined;
                    fit_focus?: (("fixed" | "face") | null) | undefined;
                    fit_focus_x?: (number | null) | undefined;
                    fit_focus_y?: (number | null) | undefined;
                    quality?: (("draft" | "standard" | "high") | null) | undefined;
                    codec?: (("h264" | "hevc") | null) | undefined;
                  }
                | undefined;
              pass?:
                | {
                    [name: string]: string;
                  }
                | undefined;
              name?: string | undefined;
            }[]
          | null
        )
      | undefined;
    slots?:
      | (
          | {
              name: string;
              clips: {
                link: string;
                start_seconds?: number | undefined;
                end_seconds?: (number | null) | undefined;
                subtitles?: (string | null) | undefined;
                speed?: number | undefined;
              }[];
              captions?: string[] | undefined;
            }[]
          | null
        )
      | undefined;
    combine?: (("all" | "each") | number | null) | undefined;
    exclude?: (string[][] | null) | undefined;
    start_seconds?: (number | null) | undefined;
    end_seconds?: (number | null) | undefined;
    speed?: (number | null) | undefined;
    max_megabytes?: (number | null) | undefined;
    cover_seconds?: (number | null) | undefined;
    cut_silences_ms?: (number | null) | undefined;
    silence_padding_ms?: (number | null) | undefined;
    cut_fillers?: (boolean | null) | undefined;
    transition_seconds?: (number | null) | undefined;
    audio_crossfade_ms?: (number | null) | undefined;
    even_loudness?: (boolean | null) | undefined;
    intro_link?: (string | null) | undefined;
    outro_link?: (string | null) | undefined;
    captions_enabled?: (boolean | null) | undefined;
    caption_set_id?: (string | null) | undefined;
    custom_captions?: (string[] | null) | undefined;
    caption_style?: (("outline" | "box" | "shadow") | null) | undefined;
    caption_position?: (("top" | "middle" | "bottom") | null) | undefined;
    caption_size?: (("small" | "medium" | "large") | null) | undefined;
    caption_font?: (("sans" | "condensed" | "rounded" | "serif") | null) | undefined;
    caption_weight?: (("medium" | "bold") | null) | undefined;
    caption_color?: (string | null) | undefined;
    caption_box_color?: (string | null) | undefined;
    caption_y?: (number | null) | undefined;
    caption_highlight?: (boolean | null) | undefined;
    caption_start_seconds?: (number | null) | undefined;
    caption_end_seconds?: (number | null) | undefined;
    caption_fade?: ((0 | 200) | null) | undefined;
    subtitles_enabled?: (boolean | null) | undefined;
    subtitles?: (string | null) | undefined;
    subtitle_style?: (("line" | "word" | "karaoke" | "box") | null) | undefined;
    subtitle_position?: (("top" | "middle" | "bottom") | null) | undefined;
    subtitle_languages?: (string[] | null) | undefined;
    languages?: (string[] | null) | undefined;
    audio_enabled?: (boolean | null) | undefined;
    audio_set_id?: (string | null) | undefined;
    custom_audio_links?: (string[] | null) | undefined;
    audio_mode?: (("replace" | "mix") | null) | undefined;
    watermark_enabled?: (boolean | null) | undefined;
    watermark_text?: (string | null) | undefined;
    watermark_image?: (string | null) | undefined;
    watermark_position?:
      | (
          | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
          | null
        )
      | undefined;
    watermark_opacity?: (number | null) | undefined;
    watermark_scale?: (number | null) | undefined;
    layers?:
      | (
          | (
              | {
                  kind: "text";
                  text: string;
                  position?:
                    | (
                        | "top-left"
                        | "top"
                        | "top-right"
                        | "left"
                        | "center"
                        | "right"
                        | "bottom-left"
                        | "bottom"
                        | "bottom-right"
                      )
                    | undefined;
                  x?: (number | null) | undefined;
                  y?: (number | null) | undefined;
                  opacity?: number | undefined;
                  start_seconds?: number | undefined;
                  end_seconds?: (number | null) | undefined;
                  fade?: (0 | 200) | undefined;
                  size?: number | undefined;
                  style?: ("outline" | "box" | "shadow") | undefined;
                  font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
                  weight?: ("medium" | "bold") | undefined;
                  color?: string | undefined;
                  box_color?: string | undefined;
                }
              | {
                  kind: "image";
                  image: string;
                  position?:
                    | (
                        | "top-left"
                        | "top"
                        | "top-right"
                        | "left"
                        | "center"
                        | "right"
                        | "bottom-left"
                        | "bottom"
                        | "bottom-right"
                      )
                    | undefined;
                  x?: (number | null) | undefined;
                  y?: (number | null) | undefined;
                  opacity?: number | undefined;
                  start_seconds?: number | undefined;
                  end_seconds?: (number | null) | undefined;
                  fade?: (0 | 200) | undefined;
                  size?: number | undefined;
                }
            )[]
          | null
        )
      | undefined;
    variants_per_video?: (number | null) | undefined;
    video_gain?: (number | null) | undefined;
    music_gain?: (number | null) | undefined;
    loop_audio?: (boolean | null) | undefined;
    ducking_db?: (number | null) | undefined;
    loudness_lufs?: (number | null) | undefined;
    segment_duration?: (number | null) | undefined;
    segmentation_type?: (("single" | "multiple") | null) | undefined;
    platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
    format?: (("source" | "9:16" | "4:5" | "1:1" | "16:9") | null) | undefined;
    formats?: (("source" | "9:16" | "4:5" | "1:1" | "16:9")[] | null) | undefined;
    fit?: (("crop" | "blur" | "pad") | null) | undefined;
    fit_focus?: (("fixed" | "face") | null) | undefined;
    fit_focus_x?: (number | null) | undefined;
    fit_focus_y?: (number | null) | undefined;
    quality?: (("draft" | "standard" | "high") | null) | undefined;
    codec?: (("h264" | "hevc") | null) | undefined;
    proof_count?: (number | null) | undefined;
    proof_pick?: (("first" | "random" | "rows") | null) | undefined;
    proof_rows?: (string | null) | undefined;
    download_enabled?: (boolean | null) | undefined;
    name_pattern?: (string | null) | undefined;
    output_folder?: (string | null) | undefined;
    link_domain_id?: (string | null) | undefined;
    link_target?: (string | null) | undefined;
    link_slug_pattern?: (string | null) | undefined;
    link_utm?: (string | null) | undefined;
    worker_labels?: (string | null) | undefined;
    destinations?: (string[] | null) | undefined;
  };
};

export type JobsUnshareRequest = {
  jobId: string;
  revoke: string;
};

export type JobsShareRequest = {
  jobId: string;
  days?: number | undefined;
  can_approve?: boolean | undefined;
};

export type JobsReviewAllRequest = {
  reviews: {
    outputId: string;
    /** Null removes it. */
    verdict: ("approved" | "rejected") | null;
    reason?: (string | null) | undefined;
  }[];
};

export type JobsReviewRequest = {
  outputId: string;
  /** Null removes it. */
  verdict: ("approved" | "rejected") | null;
  reason?: (string | null) | undefined;
};

export type JobsDeleteRequest = {
  jobIds: string[];
  /** Also deletes the jobs' routes. */
  delete_links?: boolean | undefined;
};

export type JobTableCheckRequest = {
  csv?: (string | null) | undefined;
  /** The https address of a published sheet. */
  url?: (string | null) | undefined;
  /** The sheet's, unless it is UTF-8, or UTF-16 with a byte order mark. */
  encoding?: (string | null) | undefined;
  /** A column's field, such as `link`, `name`, `pass`, `ignore` or a setting. */
  mapping?:
    | {
        [name: string]: string;
      }
    | undefined;
  /** Settings of the job, without videos. */
  settings?:
    | {
        [name: string]: unknown;
      }
    | undefined;
  /** With dry_run: also reads the lengths of up to 100 different videos, and forecasts the job. */
  forecast?: boolean | undefined;
};

export type JobTableCreateRequest = {
  csv?: (string | null) | undefined;
  /** The https address of a published sheet. */
  url?: (string | null) | undefined;
  /** The sheet's, unless it is UTF-8, or UTF-16 with a byte order mark. */
  encoding?: (string | null) | undefined;
  /** A column's field, such as `link`, `name`, `pass`, `ignore` or a setting. */
  mapping?:
    | {
        [name: string]: string;
      }
    | undefined;
  /** Settings of the job, without videos. */
  settings?:
    | {
        [name: string]: unknown;
      }
    | undefined;
  dry_run?: boolean | undefined;
  /** With dry_run: also reads the lengths of up to 100 different videos, and forecasts the job. */
  forecast?: boolean | undefined;
  idempotency_key?: (string | null) | undefined;
};

export type VpsIntegrationCancelCancelRequest = {
  jobId: string;
};

export type PreviewSilencesRequest = {
  input_video: string;
  start_seconds?: (number | null) | undefined;
  end_seconds?: (number | null) | undefined;
  cut_silences_ms?: (number | null) | undefined;
  silence_padding_ms?: (number | null) | undefined;
};

export type PreviewDrawRequest = {
  caption_style?: ("outline" | "box" | "shadow") | undefined;
  caption_position?: ("top" | "middle" | "bottom") | undefined;
  caption_size?: ("small" | "medium" | "large") | undefined;
  caption_font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
  caption_weight?: ("medium" | "bold") | undefined;
  caption_color?: string | undefined;
  caption_box_color?: string | undefined;
  caption_y?: (number | null) | undefined;
  caption_highlight?: boolean | undefined;
  watermark_image?: (string | null) | undefined;
  watermark_position?:
    | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
    | undefined;
  watermark_opacity?: number | undefined;
  watermark_scale?: number | undefined;
  platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
  format?: ("source" | "9:16" | "4:5" | "1:1" | "16:9") | undefined;
  fit?: ("crop" | "blur" | "pad") | undefined;
  fit_focus?: ("fixed" | "face") | undefined;
  fit_focus_x?: number | undefined;
  fit_focus_y?: number | undefined;
  input_video?: (string | null) | undefined;
  at_seconds?: (number | null) | undefined;
  caption?: (string | null) | undefined;
  watermark_text?: (string | null) | undefined;
  layers?:
    | (
        | (
            | {
                kind: "text";
                text: string;
                position?:
                  | (
                      | "top-left"
                      | "top"
                      | "top-right"
                      | "left"
                      | "center"
                      | "right"
                      | "bottom-left"
                      | "bottom"
                      | "bottom-right"
                    )
                  | undefined;
                x?: (number | null) | undefined;
                y?: (number | null) | undefined;
                opacity?: number | undefined;
                start_seconds?: number | undefined;
                end_seconds?: (number | null) | undefined;
                fade?: (0 | 200) | undefined;
                size?: number | undefined;
                style?: ("outline" | "box" | "shadow") | undefined;
                font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
                weight?: ("medium" | "bold") | undefined;
                color?: string | undefined;
                box_color?: string | undefined;
              }
            | {
                kind: "image";
                image: string;
                position?:
                  | (
                      | "top-left"
                      | "top"
                      | "top-right"
                      | "left"
                      | "center"
                      | "right"
                      | "bottom-left"
                      | "bottom"
                      | "bottom-right"
                    )
                  | undefined;
                x?: (number | null) | undefined;
                y?: (number | null) | undefined;
                opacity?: number | undefined;
                start_seconds?: number | undefined;
                end_seconds?: (number | null) | undefined;
                fade?: (0 | 200) | undefined;
                size?: number | undefined;
              }
          )[]
        | null
      )
    | undefined;
};

export type PreflightCheckRequest = {
  links: string[];
};

export type PrefetchStartRequest = {
  links: string[];
  /** An ID of your choice for the open form. */
  form?: string | undefined;
};

export type CaptionSetsListRequest = Record<string, never>;

export type CaptionSetsCreateRequest = {
  method?: "POST" | undefined;
  name: string;
  captions: string[];
};

export type AudioSetsListRequest = Record<string, never>;

export type AudioSetsCreateRequest = {
  method?: "POST" | undefined;
  name: string;
  audio_links: string[];
};

export type CheckCaptionsCheckRequest = {
  caption_style?: ("outline" | "box" | "shadow") | undefined;
  caption_position?: ("top" | "middle" | "bottom") | undefined;
  caption_size?: ("small" | "medium" | "large") | undefined;
  caption_font?: ("sans" | "condensed" | "rounded" | "serif") | undefined;
  caption_weight?: ("medium" | "bold") | undefined;
  caption_color?: string | undefined;
  caption_box_color?: string | undefined;
  caption_y?: (number | null) | undefined;
  caption_highlight?: boolean | undefined;
  watermark_image?: (string | null) | undefined;
  watermark_position?:
    | ("top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right")
    | undefined;
  watermark_opacity?: number | undefined;
  watermark_scale?: number | undefined;
  platform?: (("tiktok" | "reels" | "shorts") | null) | undefined;
  format?: ("source" | "9:16" | "4:5" | "1:1" | "16:9") | undefined;
  fit?: ("crop" | "blur" | "pad") | undefined;
  fit_focus?: ("fixed" | "face") | undefined;
  fit_focus_x?: number | undefined;
  fit_focus_y?: number | undefined;
  captions: string[];
  watermark_text?: (string | null) | undefined;
};

export type GenerateCaptionsGenerateRequest = {
  count?: number | undefined;
  existingCaptions?: (string[] | null) | undefined;
  captionSetId?: (string | null) | undefined;
  customPrompt?: (string | null) | undefined;
  customNotes?: (string | null) | undefined;
  generationMode?: ("reference" | "custom") | undefined;
  /** The captions fit what is said in these videos, as far as they have transcripts. */
  videoLinks?: (string[] | null) | undefined;
};

export type AnalyzeVideoCaptionsAnalyzeRequest = {
  videoLinks?: (string | string[] | null) | undefined;
  batchId?: (string | null) | undefined;
  /** False returns immediately. */
  wait?: boolean | undefined;
  action?: (("cancel" | "retry") | null) | undefined;
};

export type LibraryListRequest = Record<string, never>;

export type LibraryChangeRequest = {
  id: string;
  name?: string | undefined;
  tags?: string[] | undefined;
};

export type LibraryDeleteAllRequest = {
  ids: string[];
};

export type LibraryDeleteRequest = {
  id: string;
};

export type CloakEnvValidatorCheckRequest = Record<string, never>;

export type CloakPublisherPublishRequest = {
  /** Publishes this version again. */
  version?: number | undefined;
};

export type CloakStateReadRequest = Record<string, never>;

export type SettingsReadRequest = Record<string, never>;

export type SettingsSaveRequest = {
  method?: "POST" | undefined;
  google_drive_key?: (string | null) | undefined;
  openai_key?: (string | null) | undefined;
  text_key?: (string | null) | undefined;
  vision_key?: (string | null) | undefined;
  transcription_key?: (string | null) | undefined;
  default_variants?: (number | null) | undefined;
  default_audio_mode?: (("replace" | "mix") | null) | undefined;
  default_video_gain?: (number | null) | undefined;
  default_music_gain?: (number | null) | undefined;
  batch_scheduler_url?: (string | null) | undefined;
  warmup_robot_url?: (string | null) | undefined;
  text_base_url?: (string | null) | undefined;
  text_model?: (string | null) | undefined;
  vision_base_url?: (string | null) | undefined;
  vision_model?: (string | null) | undefined;
  transcription_base_url?: (string | null) | undefined;
  transcription_model?: (string | null) | undefined;
  source_hosts?: (("dropbox" | "onedrive" | "s3" | "video-sites" | "web")[] | null) | undefined;
  confirms_rights?: (boolean | null) | undefined;
  output_retention_days?: (number | null) | undefined;
  glossary?:
    | (
        | {
            term: string;
            translations?:
              | {
                  [name: string]: string;
                }
              | undefined;
          }[]
        | null
      )
    | undefined;
  prefetch_sources?: (boolean | null) | undefined;
  transcript_names?:
    | (
        | {
            from?: string | undefined;
            to: string;
          }[]
        | null
      )
    | undefined;
};

export type TestKeyTestRequest = {
  name: "google_drive_key" | "openai_key" | "text_key" | "vision_key" | "transcription_key";
  key?: string | undefined;
};

export type EmbeddedPagesReadRequest = Record<string, never>;

export type ConnectionsListRequest = Record<string, never>;

export type ConnectionsCreateRequest =
  | {
      kind: "s3";
      name: string;
      endpoint?: (string | null) | undefined;
      region?: (string | null) | undefined;
      access_key_id?: (string | null) | undefined;
      secret_access_key?: (string | null) | undefined;
      buckets?: string[] | undefined;
      path_style?: boolean | undefined;
    }
  | {
      kind: "dropbox";
      name: string;
      app_key?: (string | null) | undefined;
      app_secret?: (string | null) | undefined;
      refresh_token?: (string | null) | undefined;
    }
  | {
      kind: "drive";
      name: string;
      service_account_key?: (string | null) | undefined;
    }
  | {
      kind: "sftp";
      name: string;
      host?: (string | null) | undefined;
      port?: (string | number | null) | undefined;
      username?: (string | null) | undefined;
      sign_in?: ("password" | "private_key") | undefined;
      password?: (string | null) | undefined;
      private_key?: (string | null) | undefined;
      passphrase?: (string | null) | undefined;
      host_key_fingerprint?: (string | null) | undefined;
    }
  | {
      kind: "postiz";
      name: string;
      endpoint?: (string | null) | undefined;
      api_key?: (string | null) | undefined;
      posts_per_hour?: (string | number | null) | undefined;
    };

export type ConnectionsUpdateRequest =
  | {
      kind: "s3";
      name: string;
      endpoint?: (string | null) | undefined;
      region?: (string | null) | undefined;
      access_key_id?: (string | null) | undefined;
      secret_access_key?: (string | null) | undefined;
      buckets?: string[] | undefined;
      path_style?: boolean | undefined;
      id: string;
      version: number;
    }
  | {
      kind: "dropbox";
      name: string;
      app_key?: (string | null) | undefined;
      app_secret?: (string | null) | undefined;
      refresh_token?: (string | null) | undefined;
      id: string;
      version: number;
    }
  | {
      kind: "drive";
      name: string;
      service_account_key?: (string | null) | undefined;
      id: string;
      version: number;
    }
  | {
      kind: "sftp";
      name: string;
      host?: (string | null) | undefined;
      port?: (string | number | null) | undefined;
      username?: (string | null) | undefined;
      sign_in?: ("password" | "private_key") | undefined;
      password?: (string | null) | undefined;
      private_key?: (string | null) | undefined;
      passphrase?: (string | null) | undefined;
      host_key_fingerprint?: (string | null) | undefined;
      id: string;
      version: number;
    }
  | {
      kind: "postiz";
      name: string;
      endpoint?: (string | null) | undefined;
      api_key?: (string | null) | undefined;
      posts_per_hour?: (string | number | null) | undefined;
      id: string;
      version: number;
    };

export type ConnectionsDeleteRequest = {
  id: string;
  /** Even if something uses it. */
  force?: boolean | undefined;
};

export type ConnectionsTestFieldsRequest =
  | {
      kind: "s3";
      name: string;
      endpoint?: (string | null) | undefined;
      region?: (string | null) | undefined;
      access_key_id?: (string | null) | undefined;
      secret_access_key?: (string | null) | undefined;
      buckets?: string[] | undefined;
      path_style?: boolean | undefined;
      /** An empty secret means that of this connection. */
      id?: (string | null) | undefined;
    }
  | {
      kind: "dropbox";
      name: string;
      app_key?: (string | null) | undefined;
      app_secret?: (string | null) | undefined;
      refresh_token?: (string | null) | undefined;
      /** An empty secret means that of this connection. */
      id?: (string | null) | undefined;
    }
  | {
      kind: "drive";
      name: string;
      service_account_key?: (string | null) | undefined;
      /** An empty secret means that of this connection. */
      id?: (string | null) | undefined;
    }
  | {
      kind: "sftp";
      name: string;
      host?: (string | null) | undefined;
      port?: (string | number | null) | undefined;
      username?: (string | null) | undefined;
      sign_in?: ("password" | "private_key") | undefined;
      password?: (string | null) | undefined;
      private_key?: (string | null) | undefined;
      passphrase?: (string | null) | undefined;
      host_key_fingerprint?: (string | null) | undefined;
      /** An empty secret means that of this connection. */
      id?: (string | null) | undefined;
    }
  | {
      kind: "postiz";
      name: string;
      endpoint?: (string | null) | undefined;
      api_key?: (string | null) | undefined;
      posts_per_hour?: (string | number | null) | undefined;
      /** An empty secret means that of this connection. */
      id?: (string | null) | undefined;
    };

export type ConnectionsTestRequest = {
  id: string;
};

export type WebhooksListRequest = Record<string, never>;

export type WebhooksCreateRequest = {
  url: string;
  events: (
    | "job.started"
    | "job.proof_ready"
    | "job.completed"
    | "job.failed"
    | "job.cancelled"
    | "output.completed"
    | "published"
  )[];
  enabled?: boolean | undefined;
};

export type WebhooksTestRequest = {
  id: string;
};

export type WebhooksReplayRequest = {
  id: string;
  delivery_id: string;
};

export type WebhooksRotateRequest = {
  id: string;
};

export type WebhooksUpdateRequest = {
  id: string;
  url?: string | undefined;
  events?:
    | (
        | "job.started"
        | "job.proof_ready"
        | "job.completed"
        | "job.failed"
        | "job.cancelled"
        | "output.completed"
        | "published"
      )[]
    | undefined;
  enabled?: boolean | undefined;
};

export type WebhooksDeleteRequest = {
  id: string;
};

export type WebhooksDeliveriesRequest = {
  id: string;
};

export type WebhooksDeliveryRequest = {
  id: string;
  delivery_id: string;
};

export type SessionsListRequest = Record<string, never>;

export type TokensListRequest = Record<string, never>;

export type TokensRevokeRequest = {
  id: string;
};

export type TokensCreateRequest = {
  name: string;
  scopes: ("jobs:read" | "jobs:write" | "sets" | "library" | "cloak" | "settings" | "admin" | "worker")[];
  /** For the scope `worker`: its workers get only jobs that require at least one of these labels and no others. */
  worker_labels?: (string[] | null) | undefined;
  /** Null: never. */
  expires_at?: (string | null) | undefined;
  current_password?: (string | null) | undefined;
  /** The code that GET /auth/v1/reauthenticate sends by email. */
  nonce?: (string | null) | undefined;
};

export type OauthCheckRequest = {
  client_id: string;
  redirect_uri: string;
  response_type?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  resource?: string | undefined;
  scope?: string | undefined;
  state?: string | undefined;
};

export type OauthAllowRequest = {
  client_id: string;
  redirect_uri: string;
  response_type?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  resource?: string | undefined;
  scope?: string | undefined;
  state?: string | undefined;
  scopes: ("jobs:read" | "jobs:write" | "sets" | "library" | "cloak" | "settings" | "admin")[];
  /** Null: never. */
  expires_at?: (string | null) | undefined;
  current_password?: (string | null) | undefined;
  /** The code that GET /auth/v1/reauthenticate sends by email. */
  nonce?: (string | null) | undefined;
};

export type SystemControlRequest =
  | {
      action: "pause-worker";
      workerId: string;
    }
  | {
      action: "resume-worker";
      workerId: string;
    }
  | {
      action: "drain-worker";
      workerId: string;
    }
  | {
      action: "forget-worker";
      workerId: string;
    }
  | {
      action: "set-concurrency";
      workerId: string;
      concurrency: number;
    }
  | {
      action: "pause-queue";
    }
  | {
      action: "resume-queue";
    };

export type SystemClaiming = Record<string, never>;

export type SystemRead = {
  part?: "all" | undefined;
};

export type AuditList = {
  limit?: number | undefined;
  /** Only entries before this ID. */
  before?: number | undefined;
};

export type DestinationsListRequest = Record<string, never>;

export type DestinationsChannelsRequest = {
  connection_id: string;
};

export type DestinationsCreateRequest = {
  kind: "folder" | "s3" | "sftp" | "drive" | "dropbox" | "postiz";
  name: string;
  /** Null for a folder. */
  connection_id?: (string | null) | undefined;
  /** The folder's name, the bucket, the ID of a Drive folder, or the start folder on an SFTP server. */
  place?: string | undefined;
  /** `{job}` is the job's name. */
  folder?: string | undefined;
  name_pattern?: (string | null) | undefined;
  with_manifest?: boolean | undefined;
  /** Only for postiz. */
  posting?:
    | ({
        mode?: ("draft" | "schedule" | "now") | undefined;
        channels: {
          id: string;
          name: string;
          service: string;
        }[];
      } | null)
    | undefined;
  enabled?: boolean | undefined;
};

export type DestinationsUpdateRequest = {
  kind: "folder" | "s3" | "sftp" | "drive" | "dropbox" | "postiz";
  name: string;
  /** Null for a folder. */
  connection_id?: (string | null) | undefined;
  /** The folder's name, the bucket, the ID of a Drive folder, or the start folder on an SFTP server. */
  place?: string | undefined;
  /** `{job}` is the job's name. */
  folder?: string | undefined;
  name_pattern?: (string | null) | undefined;
  with_manifest?: boolean | undefined;
  /** Only for postiz. */
  posting?:
    | ({
        mode?: ("draft" | "schedule" | "now") | undefined;
        channels: {
          id: string;
          name: string;
          service: string;
        }[];
      } | null)
    | undefined;
  enabled?: boolean | undefined;
  id: string;
  version: number;
};

export type DestinationsDeleteRequest = {
  id: string;
  /** Even if unfinished jobs or presets use it. */
  force?: boolean | undefined;
};

export type DestinationsTestFieldsRequest = {
  kind: "folder" | "s3" | "sftp" | "drive" | "dropbox" | "postiz";
  name: string;
  /** Null for a folder. */
  connection_id?: (string | null) | undefined;
  /** The folder's name, the bucket, the ID of a Drive folder, or the start folder on an SFTP server. */
  place?: string | undefined;
  /** `{job}` is the job's name. */
  folder?: string | undefined;
  name_pattern?: (string | null) | undefined;
  with_manifest?: boolean | undefined;
  /** Only for postiz. */
  posting?:
    | ({
        mode?: ("draft" | "schedule" | "now") | undefined;
        channels: {
          id: string;
          name: string;
          service: string;
        }[];
      } | null)
    | undefined;
  enabled?: boolean | undefined;
};

export type DestinationsTestRequest = {
  id: string;
};

export type DeliveriesFilesRequest = {
  id: string;
};

export type DeliveriesListRequest = {
  job_id: string;
};

export type DeliveriesChangeRequest = {
  id: string;
  action: "retry" | "cancel";
};

export type DeliveriesDeliverRequest = {
  job_id: string;
  destination_id: string;
};

export type WatchFoldersListRequest = Record<string, never>;

export type WatchFoldersCreateRequest = {
  name: string;
  kind: "local" | "s3" | "google-drive" | "drive" | "dropbox" | "sftp";
  /** A local folder's name, a link to a folder, or a path for `dropbox` and `sftp`. */
  place: string;
  /** For `drive`, `dropbox` and `sftp`. */
  connection_id?: (string | null) | undefined;
  preset_id: string;
  /** A pattern of `{folder}`, `{date}`, `{time}`, `{file}` and `{count}`. */
  job_name?: string | undefined;
  grouping?: ("batch" | "file") | undefined;
  interval_seconds?: number | undefined;
  settle_seconds?: number | undefined;
  existing?: ("skip" | "take") | undefined;
};

export type WatchFoldersUpdateRequest = {
  name: string;
  /** For `drive`, `dropbox` and `sftp`. */
  connection_id?: (string | null) | undefined;
  preset_id: string;
  /** A pattern of `{folder}`, `{date}`, `{time}`, `{file}` and `{count}`. */
  job_name?: string | undefined;
  grouping?: ("batch" | "file") | undefined;
  interval_seconds?: number | undefined;
  settle_seconds?: number | undefined;
  id: string;
  version: number;
};

export type WatchFoldersDeleteRequest = {
  id: string;
};

export type WatchFoldersPauseRequest = {
  id: string;
};

export type WatchFoldersResumeRequest = {
  id: string;
};

export type WatchFoldersCheckNowRequest = {
  id: string;
};

export type WatchFoldersFilesRequest = {
  id: string;
  state?: (("seen" | "taken" | "skipped" | "failed") | null) | undefined;
  /** The last file of the previous page. */
  after?: (string | null) | undefined;
};

export type WatchFoldersRunAgainRequest = {
  file_id: string;
};

export type TranscriptsListRequest = {
  /** Only transcripts of this job's videos. */
  job_id?: string | undefined;
  /** Only transcripts of this video. */
  video_id?: string | undefined;
  page?: number | undefined;
  limit?: number | undefined;
};

export type TranscriptsReadRequest = {
  id: string;
};

export type TranscriptsExportRequest = {
  id: string;
  format: "srt" | "vtt" | "ass" | "txt";
};

export type TranscriptsUpdateRequest = {
  id: string;
  /** The revision that the change was made from. */
  revision: number;
  lines: {
    startSeconds: number;
    endSeconds: number;
    words: {
      text: string;
      startSeconds: number;
      endSeconds: number;
      confidence?: number | undefined;
      hidden?: boolean | undefined;
    }[];
  }[];
};

export type TranscriptsDeleteRequest = {
  id: string;
};

/** The functions of the API. */
export type Functions = {
  jobs: {
    /** Creates a job from links, from rows, or from an earlier job's manifest. */
    create(request: JobsCreateRequest, options?: RepeatableOptions): Promise<CreateJobResponse>;
    /** Lists jobs, newest first, as light rows. */
    list(request: JobsListRequest, options?: CallOptions): Promise<ListJobsResponse>;
    /** Returns the newest jobs and the dashboard's figures. GET without an action returns the same. */
    dashboard(request: JobsDashboardRequest, options?: CallOptions): Promise<DashboardResponse>;
    /** Returns how fast the newest completed job was, for forecasts. */
    measuredWork(request?: JobsMeasuredWorkRequest, options?: CallOptions): Promise<MeasuredWorkResponse>;
    /** Lists the videos of a job. */
    videos(request: JobsVideosRequest, options?: CallOptions): Promise<JobVideosResponse>;
    /** Lists the files of a job, with signed links. */
    outputs(request: JobsOutputsRequest, options?: CallOptions): Promise<JobOutputsResponse>;
    /** Lists the status changes of a job and its videos, oldest first: all, or the newest `limit`. */
    events(request: JobsEventsRequest, options?: CallOptions): Promise<JobEventsResponse>;
    /** Returns the manifest of an ended job. */
    manifest(request: JobsManifestRequest, options?: CallOptions): Promise<ManifestResponse>;
    /** Lists the guest links of a job and the comments of guests. */
    feedback(request: JobsFeedbackRequest, options?: CallOptions): Promise<FeedbackResponse>;
    /** Returns a link to a zip of the approved files. */
    approved(request: JobsApprovedRequest, options?: CallOptions): Promise<ApprovedResponse>;
    /** Lists the links of a job's files with their clicks, in total and on each of the last 30 days (UTC). */
    links(request: JobsLinksRequest, options?: CallOptions): Promise<JobLinks>;
    /** Returns a signed link to a video's source. */
    source(request: JobsSourceRequest, options?: CallOptions): Promise<SourceLinkResponse>;
    /** Queues the failed videos of an ended job again. */
    retry(request: JobsRetryRequest, options?: RepeatableOptions): Promise<JobResponse>;
    /** Retries waiting videos now and queues failed ones again. */
    retryNow(request: JobsRetryNowRequest, options?: RepeatableOptions): Promise<RetryNowResponse>;
    /** Runs the waiting videos of a job next. */
    bump(request: JobsBumpRequest, options?: RepeatableOptions): Promise<JobResponse>;
    /** Keeps the waiting videos of a job from starting. */
    hold(request: JobsHoldRequest, options?: RepeatableOptions): Promise<JobResponse>;
    /** Releases a held job. */
    release(request: JobsReleaseRequest, options?: RepeatableOptions): Promise<JobResponse>;
    /** Approves the samples of a job and starts the rest. With samples, only if they are still the current ones. */
    approve(request: JobsApproveRequest, options?: RepeatableOptions): Promise<JobResponse>;
    /** Ends a job that awaits approval, keeping its samples. */
    stop(request: JobsStopRequest, options?: RepeatableOptions): Promise<JobResponse>;
    /** Makes the links that files of a completed job lack, for example after activating their domain. */
    makeLinks(request: JobsMakeLinksRequest, options?: RepeatableOptions): Promise<MakeLinksResponse>;
    /** Changes settings of a job that awaits approval and makes its samples again. Files that stay valid are kept. */
    change(request: JobsChangeRequest, options?: RepeatableOptions): Promise<CreateJobResponse>;
    /** Revokes a guest link. */
    unshare(request: JobsUnshareRequest, options?: CallOptions): Promise<ShareResponse>;
    /** Creates a guest link to the samples of a job. Only this response contains the link. */
    share(request: JobsShareRequest, options?: CallOptions): Promise<ShareResponse>;
    /** Approves or rejects several files. */
    reviewAll(request: JobsReviewAllRequest, options?: RepeatableOptions): Promise<ReviewResponse>;
    /** Approves or rejects a file. */
    review(request: JobsReviewRequest, options?: RepeatableOptions): Promise<ReviewResponse>;
    /** Deletes ended jobs and their files. Unfinished jobs are rejected. */
    delete(request: JobsDeleteRequest, options?: RepeatableOptions): Promise<DeleteJobsResponse>;
    /** Cancels a job. If it cannot be canceled, returns success false and the error, with status 200. */
    cancel(request: VpsIntegrationCancelCancelRequest, options?: RepeatableOptions): Promise<CancelJobResponse>;
  };
  jobTable: {
    /** Returns the rows, every problem by row and column, and the plan, without creating a job. */
    check(request: JobTableCheckRequest, options?: CallOptions): Promise<JobTableResponse>;
    /** Creates a job. If the table has problems, returns all of them and creates no job. */
    create(request: JobTableCreateRequest, options?: RepeatableOptions): Promise<CreateJobResponse>;
  };
  preview: {
    /** Returns how much of a video a job would cut as silence. */
    silences(request: PreviewSilencesRequest, options?: CallOptions): Promise<SilencesResponse>;
    /** Returns a frame of a video with a caption and a watermark, drawn as in a job. */
    draw(request: PreviewDrawRequest, options?: CallOptions): Promise<PreviewResponse>;
  };
  preflight: {
    /** Returns name, length, size, sound and problems of each link. Send pending links again. */
    check(request: PreflightCheckRequest, options?: CallOptions): Promise<PreflightResponse>;
  };
  prefetch: {
    /** Fetches videos at low priority, for a minute after the last call. A later call of the same session and form replaces the list. */
    start(request: PrefetchStartRequest, options?: CallOptions): Promise<PrefetchResponse>;
  };
  captionSets: {
    /** Lists all caption sets, newest first. */
    list(request?: CaptionSetsListRequest, options?: CallOptions): Promise<CaptionSetsResponse>;
    /** Creates a caption set. */
    create(request: CaptionSetsCreateRequest, options?: RepeatableOptions): Promise<CaptionSetResponse>;
  };
  audioSets: {
    /** Lists all audio sets, newest first. */
    list(request?: AudioSetsListRequest, options?: CallOptions): Promise<AudioSetsResponse>;
    /** Creates an audio set. */
    create(request: AudioSetsCreateRequest, options?: RepeatableOptions): Promise<AudioSetResponse>;
  };
  checkCaptions: {
    /** Checks whether captions, at most 1 MB of text, fit on a video and whether fonts support all their characters. */
    check(request: CheckCaptionsCheckRequest, options?: CallOptions): Promise<CheckCaptionsResponse>;
  };
  generateCaptions: {
    /** Generates captions that differ from each other and from the existing ones. */
    generate(request: GenerateCaptionsGenerateRequest, options?: RepeatableOptions): Promise<GenerateCaptionsResponse>;
  };
  analyzeVideoCaptions: {
    /** Generates one caption per video and waits for all of them. With a batchId, reads, cancels or retries that batch. */
    analyze(request: AnalyzeVideoCaptionsAnalyzeRequest, options?: CallOptions): Promise<AnalyzeVideosResponse>;
  };
  library: {
    /** Lists all files, newest first. */
    list(request?: LibraryListRequest, options?: CallOptions): Promise<LibraryResponse>;
    /** Changes the name or tags of a file. */
    change(request: LibraryChangeRequest, options?: CallOptions): Promise<ChangeLibraryFileResponse>;
    /** Deletes files and lists the remaining ones. Files in use by an unfinished job, caption batch, preset, brand kit or audio set are kept: `held` lists them, with what uses them. */
    deleteAll(request: LibraryDeleteAllRequest, options?: CallOptions): Promise<DeleteLibraryFilesResponse>;
    /** Deletes a file and lists the remaining ones. Returns 409 for a file in use. */
    delete(request: LibraryDeleteRequest, options?: CallOptions): Promise<LibraryResponse>;
  };
  cloakEnvValidator: {
    /** Checks that publishing is configured and that the redirector accepts the publish token. */
    check(request?: CloakEnvValidatorCheckRequest, options?: CallOptions): Promise<EnvironmentCheck>;
  };
  cloakPublisher: {
    /** Publishes all active routes, or an earlier version again. On failure, returns success false and the error. */
    publish(request: CloakPublisherPublishRequest, options?: RepeatableOptions): Promise<PublishResult>;
  };
  cloakState: {
    /** Returns pending changes, the last 10 published versions, and the routes' health and redirect counts. */
    read(request?: CloakStateReadRequest, options?: CallOptions): Promise<CloakStateResponse>;
  };
  settings: {
    /** Returns the settings. For keys, returns only whether they are set. */
    read(request?: SettingsReadRequest, options?: CallOptions): Promise<SettingsResponse>;
    /** Saves and returns the settings. Absent fields and empty keys keep their values; null removes them. A new address of a model server removes its key. */
    save(request: SettingsSaveRequest, options?: CallOptions): Promise<SettingsResponse>;
  };
  testKey: {
    /** Tests a key, or the saved one, with its service. */
    test(request: TestKeyTestRequest, options?: CallOptions): Promise<TestKeyResponse>;
  };
  embeddedPages: {
    /** Returns the addresses of the Batch Scheduler and Warmup Robot pages; null if not set. */
    read(request?: EmbeddedPagesReadRequest, options?: CallOptions): Promise<EmbeddedPagesResponse>;
  };
  connections: {
    /** Lists all connections. */
    list(request?: ConnectionsListRequest, options?: CallOptions): Promise<ConnectionsResponse>;
    /** Creates a connection. */
    create(request: ConnectionsCreateRequest, options?: CallOptions): Promise<ConnectionResponse>;
    /** Replaces all fields of a connection; an omitted secret is kept. */
    update(request: ConnectionsUpdateRequest, options?: CallOptions): Promise<ConnectionResponse>;
    /** Deletes a connection. */
    delete(request: ConnectionsDeleteRequest, options?: CallOptions): Promise<SuccessResponse>;
    /** Tests fields before they are saved. */
    testFields(request: ConnectionsTestFieldsRequest, options?: CallOptions): Promise<TestConnectionResponse>;
    /** Tests a saved connection. */
    test(request: ConnectionsTestRequest, options?: CallOptions): Promise<TestConnectionResponse>;
  };
  webhooks: {
    /** Lists all webhooks. */
    list(request?: WebhooksListRequest, options?: CallOptions): Promise<WebhooksResponse>;
    /** Adds a webhook and returns its secret once. */
    create(request: WebhooksCreateRequest, options?: CallOptions): Promise<NewSecretResponse>;
    /** Sends a test event. */
    test(request: WebhooksTestRequest, options?: CallOptions): Promise<WebhookDeliveryResponse>;
    /** Sends the event of an earlier delivery again, with the same ID. */
    replay(request: WebhooksReplayRequest, options?: CallOptions): Promise<WebhookDeliveryResponse>;
    /** Rotates the secret; for a day, events are signed with both secrets. */
    rotate(request: WebhooksRotateRequest, options?: CallOptions): Promise<NewSecretResponse>;
    /** Changes the given fields of a webhook. */
    update(request: WebhooksUpdateRequest, options?: CallOptions): Promise<WebhookResponse>;
    /** Deletes a webhook and its log. */
    delete(request: WebhooksDeleteRequest, options?: CallOptions): Promise<SuccessResponse>;
    /** Lists the last 100 deliveries of a webhook, newest first. */
    deliveries(request: WebhooksDeliveriesRequest, options?: CallOptions): Promise<WebhookDeliveriesResponse>;
    /** Returns a delivery with its body and the responses. */
    delivery(request: WebhooksDeliveryRequest, options?: CallOptions): Promise<WebhookDeliveryResponse>;
  };
  sessions: {
    /** Lists the account's active sessions. */
    list(request?: SessionsListRequest, options?: CallOptions): Promise<SessionsResponse>;
  };
  tokens: {
    /** Lists the account's tokens. */
    list(request?: TokensListRequest, options?: CallOptions): Promise<ListTokensResponse>;
    /** Revokes a token. */
    revoke(request: TokensRevokeRequest, options?: CallOptions): Promise<ListTokensResponse>;
    /** Creates a token and returns its secret once. If the session is older than 15 minutes, send the current password or an emailed code. */
    create(request: TokensCreateRequest, options?: CallOptions): Promise<CreateTokenResponse>;
  };
  oauth: {
    /** Checks an assistant's authorization request, and returns what it asks for. */
    check(request: OauthCheckRequest, options?: CallOptions): Promise<AuthorizationResponse>;
    /** Allows it, and returns an address with a code for an API token. If the session is older than 15 minutes, send the current password or an emailed code. */
    allow(request: OauthAllowRequest, options?: CallOptions): Promise<AllowAuthorizationResponse>;
  };
  system: {
    /** Controls a worker or the queue and returns the state of both. GET returns the state only. */
    control(request: SystemControlRequest, options?: CallOptions): Promise<SystemResponse>;
    /** Only checks whether any worker takes videos. */
    claiming(request?: SystemClaiming, options?: CallOptions): Promise<ClaimingResponse>;
    /** Returns the state of the workers and the queue. */
    read(request: SystemRead, options?: CallOptions): Promise<SystemResponse>;
  };
  audit: {
    /** Lists audit entries, newest first. */
    list(request: AuditList, options?: CallOptions): Promise<AuditResponse>;
  };
  destinations: {
    /** Lists all destinations, and the folders that new ones can use. */
    list(request?: DestinationsListRequest, options?: CallOptions): Promise<DestinationsResponse>;
    /** Lists the channels of a connection to Postiz. */
    channels(request: DestinationsChannelsRequest, options?: CallOptions): Promise<ChannelsResponse>;
    /** Adds a destination. */
    create(request: DestinationsCreateRequest, options?: CallOptions): Promise<DestinationResponse>;
    /** Replaces the fields of a destination. */
    update(request: DestinationsUpdateRequest, options?: CallOptions): Promise<DestinationResponse>;
    /** Deletes a destination; delivered files stay. */
    delete(request: DestinationsDeleteRequest, options?: CallOptions): Promise<SuccessResponse>;
    /** Tests fields before they are saved. */
    testFields(request: DestinationsTestFieldsRequest, options?: CallOptions): Promise<TestDestinationResponse>;
    /** Writes a small file to a saved destination and removes it; at Postiz, only checks the channels. */
    test(request: DestinationsTestRequest, options?: CallOptions): Promise<TestDestinationResponse>;
  };
  deliveries: {
    /** Lists the files of a delivery. */
    files(request: DeliveriesFilesRequest, options?: CallOptions): Promise<DeliveryFilesResponse>;
    /** Lists the deliveries of a job, the latest to each destination. */
    list(request: DeliveriesListRequest, options?: CallOptions): Promise<DeliveriesResponse>;
    /** Retries or cancels a delivery. */
    change(request: DeliveriesChangeRequest, options?: CallOptions): Promise<DeliveryResponse>;
    /** Delivers an ended job to a destination. Returns the delivery in progress if there is one. */
    deliver(request: DeliveriesDeliverRequest, options?: CallOptions): Promise<DeliveryResponse>;
  };
  watchFolders: {
    /** Lists all watch folders, and the folders on the server that can be watched. */
    list(request?: WatchFoldersListRequest, options?: CallOptions): Promise<WatchFoldersResponse>;
    /** Adds a watch folder. */
    create(request: WatchFoldersCreateRequest, options?: CallOptions): Promise<WatchFolderResponse>;
    /** Replaces the fields of a watch folder. */
    update(request: WatchFoldersUpdateRequest, options?: CallOptions): Promise<WatchFolderResponse>;
    /** Deletes a watch folder; its jobs and their files stay. */
    delete(request: WatchFoldersDeleteRequest, options?: CallOptions): Promise<SuccessResponse>;
    /** Pauses a watch folder. */
    pause(request: WatchFoldersPauseRequest, options?: CallOptions): Promise<WatchFolderResponse>;
    /** Resumes a watch folder. */
    resume(request: WatchFoldersResumeRequest, options?: CallOptions): Promise<WatchFolderResponse>;
    /** Checks a watch folder now. */
    checkNow(request: WatchFoldersCheckNowRequest, options?: CallOptions): Promise<WatchFolderResponse>;
    /** Lists the files of a watch folder, 100 at a time, with the job of each or why it was left out. */
    files(request: WatchFoldersFilesRequest, options?: CallOptions): Promise<WatchFilesResponse>;
    /** Creates another job from a file. */
    runAgain(request: WatchFoldersRunAgainRequest, options?: CallOptions): Promise<SuccessResponse>;
  };
  transcripts: {
    /** Lists transcripts, newest first: all, or those of a job or video. */
    list(request: TranscriptsListRequest, options?: CallOptions): Promise<TranscriptsResponse>;
    /** Returns a transcript with its lines. */
    read(request: TranscriptsReadRequest, options?: CallOptions): Promise<TranscriptResponse>;
    /** Returns a transcript as SRT, VTT, ASS or plain text, without hidden words. */
    export(request: TranscriptsExportRequest, options?: CallOptions): Promise<ExportedTranscript>;
    /** Replaces the lines of a transcript. Returns 409 if it has changed since `revision`. Jobs use the new lines from their next attempt. */
    update(request: TranscriptsUpdateRequest, options?: CallOptions): Promise<TranscriptResponse>;
    /** Deletes a transcript. Returns 409 while an unfinished job uses it. */
    delete(request: TranscriptsDeleteRequest, options?: CallOptions): Promise<SuccessResponse>;
  };
};

/** The rows of the tables. */
export type Tables = {
  jobs: Job;
  job_videos: JobVideo;
  job_outputs: JobOutput;
  caption_sets: CaptionSet;
  audio_sets: AudioSet;
  presets: Preset;
  preset_versions: PresetVersion;
  brand_kits: BrandKit;
  domains: Domain;
  routes: Route;
};

export const CALLS = [
  { group: "jobs", name: "create", method: "POST", path: "/functions/v1/jobs", selects: {}, isRepeatable: true },
  {
    group: "jobs",
    name: "list",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "list" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "dashboard",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "dashboard" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "measuredWork",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "measured-work" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "videos",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "videos" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "outputs",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "outputs" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "events",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "events" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "manifest",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "manifest" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "feedback",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "feedback" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "approved",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "approved" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "links",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "links" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "source",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "source" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "retry",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "retry" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "retryNow",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "retry-now" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "bump",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "bump" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "hold",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "hold" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "release",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "release" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "approve",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "approve" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "stop",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "stop" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "makeLinks",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "make-links" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "change",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "change" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "unshare",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "share" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "share",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "share" },
    isRepeatable: false,
  },
  {
    group: "jobs",
    name: "reviewAll",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "review" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "review",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "review" },
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "delete",
    method: "POST",
    path: "/functions/v1/jobs",
    selects: { action: "delete" },
    isRepeatable: true,
  },
  {
    group: "jobTable",
    name: "check",
    method: "POST",
    path: "/functions/v1/job-table",
    selects: { dry_run: true },
    isRepeatable: false,
  },
  {
    group: "jobTable",
    name: "create",
    method: "POST",
    path: "/functions/v1/job-table",
    selects: {},
    isRepeatable: true,
  },
  {
    group: "jobs",
    name: "cancel",
    method: "POST",
    path: "/functions/v1/vps-integration/cancel",
    selects: {},
    isRepeatable: true,
  },
  {
    group: "preview",
    name: "silences",
    method: "POST",
    path: "/functions/v1/preview",
    selects: { action: "silences" },
    isRepeatable: false,
  },
  { group: "preview", name: "draw", method: "POST", path: "/functions/v1/preview", selects: {}, isRepeatable: false },
  {
    group: "preflight",
    name: "check",
    method: "POST",
    path: "/functions/v1/preflight",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "prefetch",
    name: "start",
    method: "POST",
    path: "/functions/v1/prefetch",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "captionSets",
    name: "list",
    method: "POST",
    path: "/functions/v1/caption-sets",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "captionSets",
    name: "create",
    method: "POST",
    path: "/functions/v1/caption-sets",
    selects: {},
    isRepeatable: true,
  },
  {
    group: "audioSets",
    name: "list",
    method: "POST",
    path: "/functions/v1/audio-sets",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "audioSets",
    name: "create",
    method: "POST",
    path: "/functions/v1/audio-sets",
    selects: {},
    isRepeatable: true,
  },
  {
    group: "checkCaptions",
    name: "check",
    method: "POST",
    path: "/functions/v1/check-captions",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "generateCaptions",
    name: "generate",
    method: "POST",
    path: "/functions/v1/generate-captions",
    selects: {},
    isRepeatable: true,
  },
  {
    group: "analyzeVideoCaptions",
    name: "analyze",
    method: "POST",
    path: "/functions/v1/analyze-video-captions",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "library",
    name: "list",
    method: "POST",
    path: "/functions/v1/library",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "library",
    name: "change",
    method: "POST",
    path: "/functions/v1/library",
    selects: { method: "PATCH" },
    isRepeatable: false,
  },
  {
    group: "library",
    name: "deleteAll",
    method: "POST",
    path: "/functions/v1/library",
    selects: { method: "DELETE" },
    isRepeatable: false,
  },
  {
    group: "library",
    name: "delete",
    method: "POST",
    path: "/functions/v1/library",
    selects: { method: "DELETE" },
    isRepeatable: false,
  },
  {
    group: "cloakEnvValidator",
    name: "check",
    method: "POST",
    path: "/functions/v1/cloak-env-validator",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "cloakPublisher",
    name: "publish",
    method: "POST",
    path: "/functions/v1/cloak-publisher",
    selects: {},
    isRepeatable: true,
  },
  {
    group: "cloakState",
    name: "read",
    method: "POST",
    path: "/functions/v1/cloak-state",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "settings",
    name: "read",
    method: "POST",
    path: "/functions/v1/settings",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  { group: "settings", name: "save", method: "POST", path: "/functions/v1/settings", selects: {}, isRepeatable: false },
  { group: "testKey", name: "test", method: "POST", path: "/functions/v1/test-key", selects: {}, isRepeatable: false },
  {
    group: "embeddedPages",
    name: "read",
    method: "POST",
    path: "/functions/v1/embedded-pages",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "connections",
    name: "list",
    method: "POST",
    path: "/functions/v1/connections",
    selects: { action: "list" },
    isRepeatable: false,
  },
  {
    group: "connections",
    name: "create",
    method: "POST",
    path: "/functions/v1/connections",
    selects: { action: "create" },
    isRepeatable: false,
  },
  {
    group: "connections",
    name: "update",
    method: "POST",
    path: "/functions/v1/connections",
    selects: { action: "update" },
    isRepeatable: false,
  },
  {
    group: "connections",
    name: "delete",
    method: "POST",
    path: "/functions/v1/connections",
    selects: { action: "delete" },
    isRepeatable: false,
  },
  {
    group: "connections",
    name: "testFields",
    method: "POST",
    path: "/functions/v1/connections",
    selects: { action: "test" },
    isRepeatable: false,
  },
  {
    group: "connections",
    name: "test",
    method: "POST",
    path: "/functions/v1/connections",
    selects: { action: "test" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "list",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "create",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "test",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { action: "test" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "replay",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { action: "replay" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "rotate",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { action: "rotate" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "update",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { action: "update" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "delete",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { action: "delete" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "deliveries",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { action: "deliveries" },
    isRepeatable: false,
  },
  {
    group: "webhooks",
    name: "delivery",
    method: "POST",
    path: "/functions/v1/webhooks",
    selects: { action: "delivery" },
    isRepeatable: false,
  },
  {
    group: "sessions",
    name: "list",
    method: "POST",
    path: "/functions/v1/sessions",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "tokens",
    name: "list",
    method: "POST",
    path: "/functions/v1/tokens",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "tokens",
    name: "revoke",
    method: "POST",
    path: "/functions/v1/tokens",
    selects: { revoke: true },
    isRepeatable: false,
  },
  { group: "tokens", name: "create", method: "POST", path: "/functions/v1/tokens", selects: {}, isRepeatable: false },
  {
    group: "oauth",
    name: "check",
    method: "POST",
    path: "/functions/v1/oauth",
    selects: { action: "check" },
    isRepeatable: false,
  },
  {
    group: "oauth",
    name: "allow",
    method: "POST",
    path: "/functions/v1/oauth",
    selects: { action: "allow" },
    isRepeatable: false,
  },
  { group: "system", name: "control", method: "POST", path: "/functions/v1/system", selects: {}, isRepeatable: false },
  {
    group: "system",
    name: "claiming",
    method: "GET",
    path: "/functions/v1/system",
    selects: { part: "claiming" },
    isRepeatable: false,
  },
  { group: "system", name: "read", method: "GET", path: "/functions/v1/system", selects: {}, isRepeatable: false },
  { group: "audit", name: "list", method: "GET", path: "/functions/v1/audit", selects: {}, isRepeatable: false },
  {
    group: "destinations",
    name: "list",
    method: "POST",
    path: "/functions/v1/destinations",
    selects: { action: "list" },
    isRepeatable: false,
  },
  {
    group: "destinations",
    name: "channels",
    method: "POST",
    path: "/functions/v1/destinations",
    selects: { action: "channels" },
    isRepeatable: false,
  },
  {
    group: "destinations",
    name: "create",
    method: "POST",
    path: "/functions/v1/destinations",
    selects: { action: "create" },
    isRepeatable: false,
  },
  {
    group: "destinations",
    name: "update",
    method: "POST",
    path: "/functions/v1/destinations",
    selects: { action: "update" },
    isRepeatable: false,
  },
  {
    group: "destinations",
    name: "delete",
    method: "POST",
    path: "/functions/v1/destinations",
    selects: { action: "delete" },
    isRepeatable: false,
  },
  {
    group: "destinations",
    name: "testFields",
    method: "POST",
    path: "/functions/v1/destinations",
    selects: { action: "test" },
    isRepeatable: false,
  },
  {
    group: "destinations",
    name: "test",
    method: "POST",
    path: "/functions/v1/destinations",
    selects: { action: "test" },
    isRepeatable: false,
  },
  {
    group: "deliveries",
    name: "files",
    method: "POST",
    path: "/functions/v1/deliveries",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "deliveries",
    name: "list",
    method: "POST",
    path: "/functions/v1/deliveries",
    selects: { method: "GET" },
    isRepeatable: false,
  },
  {
    group: "deliveries",
    name: "change",
    method: "POST",
    path: "/functions/v1/deliveries",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "deliveries",
    name: "deliver",
    method: "POST",
    path: "/functions/v1/deliveries",
    selects: {},
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "list",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "list" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "create",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "create" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "update",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "update" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "delete",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "delete" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "pause",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "pause" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "resume",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "resume" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "checkNow",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "check-now" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "files",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "files" },
    isRepeatable: false,
  },
  {
    group: "watchFolders",
    name: "runAgain",
    method: "POST",
    path: "/functions/v1/watch-folders",
    selects: { action: "run-again" },
    isRepeatable: false,
  },
  {
    group: "transcripts",
    name: "list",
    method: "POST",
    path: "/functions/v1/transcripts",
    selects: { action: "list" },
    isRepeatable: false,
  },
  {
    group: "transcripts",
    name: "read",
    method: "POST",
    path: "/functions/v1/transcripts",
    selects: { action: "read" },
    isRepeatable: false,
  },
  {
    group: "transcripts",
    name: "export",
    method: "POST",
    path: "/functions/v1/transcripts",
    selects: { action: "export" },
    isRepeatable: false,
  },
  {
    group: "transcripts",
    name: "update",
    method: "POST",
    path: "/functions/v1/transcripts",
    selects: { action: "update" },
    isRepeatable: false,
  },
  {
    group: "transcripts",
    name: "delete",
    method: "POST",
    path: "/functions/v1/transcripts",
    selects: { action: "delete" },
    isRepeatable: false,
  },
] as const;
