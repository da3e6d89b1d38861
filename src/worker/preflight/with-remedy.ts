import type { ClipmillError, ErrorCode } from "#contract/errors.ts";

/** For messages that only say what is wrong. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  bad_link: "Check the link.",
  not_shared: "Share it with anyone who has the link, or use another file.",
  source_not_found: "Upload it again, or use another file.",
  not_a_video: "Use a video file instead.",
  damaged: "Upload the video again.",
  too_large: "Use a smaller version.",
};

/** Appends what to do. Messages of two sentences already have it. */
export function withRemedy({ code, message }: Pick<ClipmillError, "code" | "message">): string {
  const remedy = REMEDIES[code];
  return remedy === undefined || message.includes(". ") ? message : `${message} ${remedy}`;
}
