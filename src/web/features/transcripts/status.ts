import type { Transcript } from "#contract/transcripts/transcripts.ts";
import { statusLook } from "../../jobs/status/status-look.ts";

export function describeStatus({ status, progress }: Pick<Transcript, "status" | "progress">) {
  return { ...statusLook(status), label: status === "Processing" ? `${status} ${Math.round(progress)}%` : status };
}

export function isUnfinished({ status }: Pick<Transcript, "status">): boolean {
  return status === "Queued" || status === "Processing";
}

const languages = new Intl.DisplayNames("en", { type: "language" });

/** Returns "" for an unknown language. */
export function nameLanguage(tag: string | null): string {
  if (tag === null) return "";
  try {
    return languages.of(tag) ?? tag;
  } catch {
    // Not a valid tag.
    return tag;
  }
}
