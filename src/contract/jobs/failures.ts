/** `error_code`, documented in docs/API.md. `isRetryable`: a retry may succeed. */
export const FAILURES = {
  // The source cannot be used.
  bad_link: { isRetryable: false },
  not_shared: { isRetryable: false },
  source_not_found: { isRetryable: false },
  not_a_video: { isRetryable: false },
  not_audio: { isRetryable: false },
  not_an_image: { isRetryable: false },
  bad_subtitles: { isRetryable: false },
  unsupported_codec: { isRetryable: false },
  too_large: { isRetryable: false },
  too_short: { isRetryable: false },
  damaged: { isRetryable: false },
  // ffmpeg always fails on this content.
  unrenderable: { isRetryable: false },
  // An outside service, or the key or tool that Clipmill needs for it.
  bad_key: { isRetryable: false },
  no_tool: { isRetryable: false },
  // A transcription has failed after its own retries.
  not_transcribed: { isRetryable: false },
  quota_exceeded: { isRetryable: true },
  rate_limited: { isRetryable: true },
  network: { isRetryable: true },
  incomplete: { isRetryable: true },
  unavailable: { isRetryable: true },
  // The machine.
  no_space: { isRetryable: true },
  render_failed: { isRetryable: true },
  system_error: { isRetryable: true },
  worker_lost: { isRetryable: false },
  // A bug in Clipmill: a retry would fail again.
  internal: { isRetryable: false },
} as const satisfies Record<string, { isRetryable: boolean }>;

export type FailureCode = keyof typeof FAILURES;

/** In order; stored in `error_step`. */
export const FAILURE_STEPS = ["fetch", "probe", "plan", "draw", "encode", "sound", "mux", "store"] as const;
export type FailureStep = (typeof FAILURE_STEPS)[number];

/** UTF-8 size of `error_tail`. */
export const MAX_TAIL_BYTES = 4096;

export type Failure = {
  code: FailureCode;
  step: FailureStep | null;
  message: string;
  tail: string | null;
};

/** Null in older failures, except `error_message`. */
export type FailureColumns = {
  error_message: string | null;
  error_code: FailureCode | null;
  error_step: FailureStep | null;
  /** Without paths, links and secrets; at most 4 kB. */
  error_tail: string | null;
};
