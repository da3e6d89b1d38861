import { z } from "zod";
import { component, keysOf, named } from "./component.ts";
import type { ErrorCode as ErrorCodeType } from "./errors.ts";

const ERROR_REMEDIES = {
  invalid: "Correct the request as the error describes, then send it again.",
  not_found: "Check the ID or the address. It may have been deleted.",
  unauthorized: "Sign in again, or send a valid API token as Authorization: Bearer.",
  forbidden:
    "Sign in, use an API token with the scope that the error names, or, if a signed link has expired, read its row again for a new one.",
  reauthentication_needed:
    "Send current_password, or as nonce the code that GET /auth/v1/reauthenticate sends by email, or sign in again.",
  conflict: "Read the current state, then decide whether the change still applies.",
  key_reused: "Use a new Idempotency-Key for a different request.",
  in_progress: "Wait for the first request with this Idempotency-Key to end, then send the request again.",
  too_many: "Wait for the time in the Retry-After header, or free the resource that the error names.",
  unknown_encoding: "Send the table's encoding, for example windows-1251, or save it as CSV UTF-8.",
  too_large: "Send less at a time, within the limits in docs/API.md.",
  too_short: "Use a longer video, or shorter segments.",
  bad_link: "Use a link to a single file that anyone can open.",
  not_shared: "Share the file with anyone who has the link, or grant access to the folder.",
  source_not_found: "Check the link or path. The file or folder may have been moved or deleted.",
  not_a_video: "Use a video file.",
  not_audio: "Use a file with sound.",
  bad_subtitles: "Correct the file as the error describes, or send SRT, VTT, ASS, or words as JSON.",
  not_an_image: "Use a PNG or WebP image that is not animated.",
  unsupported_codec: "Convert the file, for example to H.264 and AAC in MP4.",
  damaged: "Export or upload the file again.",
  unrenderable: "Convert the file, for example to H.264 and AAC in MP4.",
  incomplete: "Send the file again.",
  bad_key: "Replace the saved key in Settings.",
  no_tool: "Install yt-dlp on the worker's machine.",
  not_transcribed: "Fix the cause named in the error, or add a subtitle file. Then retry the video.",
  quota_exceeded: "Wait until the host allows downloads of this file again.",
  rate_limited: "Wait a few minutes, then send the request again.",
  network: "Check that the address can be reached from the server, then send the request again.",
  unavailable: "Send the request again in a few seconds.",
  no_space: "Free some space on the server or destination, then send the request again.",
  render_failed: "Send the request again.",
  system_error: "Check the server's log.",
  worker_lost: "Send the request again.",
  internal: "Check the server's log and report the error.",
  cancelled: "Send the request again.",
} as const satisfies Record<ErrorCodeType, string>;

export const REMEDIES = {
  ...ERROR_REMEDIES,
  unexpected_failure: "Send the request again. If the error persists, check the server's log.",
  starting: "Send the request again in a few seconds.",
} as const;

export type ProblemCode = keyof typeof REMEDIES;

export const ErrorCode = named("ErrorCode", keysOf(ERROR_REMEDIES));

export const Problem = component(
  "Problem",
  "RFC 9457 with more fields: an error of a function, upload or download.",
  () => ({
    error: z.string(),
    code: keysOf(REMEDIES).describe("Stable, for programs."),
    remedy: z.string(),
    status: z.number(),
    type: z.string().describe("The code's description in the reference, relative to the server."),
    title: z.string().exactOptional(),
  }),
);
export type Problem = z.infer<typeof Problem>;

export const TableError = component("TableError", "PostgREST's format.", () => ({
  code: z.string(),
  message: z.string(),
  details: z.string().nullable(),
  hint: z.string().nullable(),
}));
export type TableError = z.infer<typeof TableError>;

export function problemType(code: ProblemCode): string {
  return `/api-reference#${code}`;
}
