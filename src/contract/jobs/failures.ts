/** Failed attempts: a stable code, the step, a sentence, and the last lines of output. */

/** Values of `error_code`, documented in docs/API.md. `mayPass` is true if a retry may succeed. */
export const FAILURES = {
  // The source cannot be used.
  bad_link: { mayPass: false },
  not_shared: { mayPass: false },
  source_not_found: { mayPass: false },
  not_a_video: { mayPass: false },
  not_audio: { mayPass: false },
  unsupported_codec: { mayPass: false },
  too_large: { mayPass: false },
  damaged: { mayPass: false },
  // ffmpeg always fails on this content.
  unrenderable: { mayPass: false },
  // An outside service, or the key or tool that Clipmill needs for it.
  bad_key: { mayPass: false },
  no_tool: { mayPass: false },
  quota_exceeded: { mayPass: true },
  rate_limited: { mayPass: true },
  network: { mayPass: true },
  incomplete: { mayPass: true },
  unavailable: { mayPass: true },
  // The machine.
  no_space: { mayPass: true },
  render_failed: { mayPass: true },
  system_error: { mayPass: true },
  worker_lost: { mayPass: false },
  // A bug in Clipmill: a retry would fail the same way.
  internal: { mayPass: false },
} as const satisfies Record<string, { mayPass: boolean }>;

export type FailureCode = keyof typeof FAILURES;

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

/** The steps of an attempt in order, as stored in `error_step`. */
export const FAILURE_STEPS = ["fetch", "probe", "plan", "draw", "encode", "sound", "mux", "store"] as const;
export type FailureStep = (typeof FAILURE_STEPS)[number];

/** Maximum size of `error_tail` in UTF-8 bytes. */
export const MOST_TAIL_BYTES = 4096;

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
