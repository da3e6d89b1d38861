import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { explainLink, parseLink } from "./links.ts";

/** Continues "Line 3: ". Expects a link that `parseVideoLink` rejects. */
export function explainVideoLink(text: string): string {
  return explain(text, "not a link to a Google Drive file");
}

/** Continues "Line 3: ". Expects a link that `parseAudioLink` rejects. */
export function explainAudioLink(text: string): string {
  return explain(text, "not a Google Drive file or an Instagram post, reel or audio link");
}

/** Continues "Line 3: ". Expects a link that `parseSubtitlesLink` rejects. */
export function explainSubtitlesLink(text: string): string {
  return explain(text, "not a link to a file");
}

function explain(text: string, specified: string): string {
  const isOther = parseLink(text)?.host === "web";
  const reason = isOther ? `${specified}; other websites are turned off in Settings` : specified;
  return explainForm(text) ?? explainLink(text) ?? reason;
}

function explainForm(text: string): string | null {
  if (text.length > JOB_LIMITS.linkCharacters) return "longer than 2,000 characters";
  if (/^http:/i.test(text)) return "links must start with https://";
  return URL.canParse(text) && /^(?:https|s3):/i.test(text) ? null : "not a link";
}
