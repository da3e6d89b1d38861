/** How a failed attempt at a video is described: a stable code, the step, a sentence, and the last lines of output. */

/**
 * The codes of failed videos and outputs, as stored in `error_code`; docs/API.md explains them. `mayPass` is true if the same
 * thing may work later, so that another attempt makes sense.
 */
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
  // ffmpeg fails on this content, and would again.
  unrenderable: { mayPass: false },
  // An outside service, or what Clipmill has to reach it.
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
  // A fault in Clipmill itself: another attempt would fail the same way.
  internal: { mayPass: false },
} as const satisfies Record<string, { mayPass: boolean }>;

export type FailureCode = keyof typeof FAILURES;

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

/** The steps of an attempt, as stored in `error_step`, in their order. */
export const FAILURE_STEPS = ["fetch", "probe", "plan", "draw", "encode", "sound", "mux", "store"] as const;
export type FailureStep = (typeof FAILURE_STEPS)[number];

/** The longest `error_tail`, in bytes of UTF-8. */
export const MOST_TAIL_BYTES = 4096;

/** Why a video or an output failed. */
export type Failure = {
  code: FailureCode;
  /** Null if it is not known. */
  step: FailureStep | null;
  /** One sentence for the operator. */
  message: string;
  /** The last lines that ffmpeg or a host wrote; null without any. */
  tail: string | null;
};

/** A failure in the columns of its row. In rows that failed before these columns existed, all but the sentence are null. */
export type FailureColumns = {
  error_message: string | null;
  error_code: FailureCode | null;
  error_step: FailureStep | null;
  /** Without paths, links and secrets; at most 4 kB. */
  error_tail: string | null;
};
