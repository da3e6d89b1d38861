/** Failed attempts: a stable code, the step, a sentence, and the last lines of output. */

/** Values of `error_code`, documented in docs/API.md. `isRetryable` is true if a retry may succeed. */
export const FAILURES = {
  // The source cannot be used.
  bad_link: { isRetryable: false },
  not_shared: { isRetryable: false },
  source_not_found: { isRetryable: false },
  not_a_video: { isRetryable: false },
  not_audio: { isRetryable: false },
  not_an_image: { isRetryable: false },
  unsupported_codec: { isRetryable: false },
  too_large: { isRetryable: false },
  too_short: { isRetryable: false },
  damaged: { isRetryable: false },
  // ffmpeg always fails on this content.
  unrenderable: { isRetryable: false },
  // An outside service, or the key or tool that Clipmill needs for it.
  bad_key: { isRetryable: false },
  no_tool: { isRetryable: false },
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
  // A bug in Clipmill: a retry would fail the same way.
  internal: { isRetryable: false },
} as const satisfies Record<string, { isRetryable: boolean }>;

export type FailureCode = keyof typeof FAILURES;

/** The steps of an attempt in order, as stored in `error_step`. */
export type FailureStep = "fetch" | "probe" | "plan" | "draw" | "encode" | "sound" | "mux" | "store";

/** Maximum size of `error_tail` in UTF-8 bytes. */
export const MAX_TAIL_BYTES = 4096;

export type Failure = {
  code: FailureCode;
  /** Null if unknown. */
  step: FailureStep | null;
  /** One sentence for the operator. */
  message: string;
  /** The last lines of output of ffmpeg or a host, or null. */
  tail: string | null;
};

/** Columns of a row. All except `error_message` are null for failures older than them. */
export type FailureColumns = {
  error_message: string | null;
  error_code: FailureCode | null;
  error_step: FailureStep | null;
  /** Free of paths, links and secrets; at most 4 kB. */
  error_tail: string | null;
};
