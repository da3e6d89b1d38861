import { CircleAlert, CircleCheck, CircleDashed, CircleMinus, CirclePause, Eye } from "lucide-react";
import type { WatchFileState, WatchFolder, WatchKind } from "#contract/watch-folders/watch-folders.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import type { LucideIcon } from "../../ui/page/icon.tsx";
import type { StatusTone } from "../../ui/states/status-badge.tsx";

export const KIND_LABELS: Record<WatchKind, string> = {
  local: "Server folder",
  s3: "S3",
  "google-drive": "Google Drive link",
  drive: "Google Drive",
  dropbox: "Dropbox",
  sftp: "SFTP",
};

/** For selection lists. */
export const KIND_OPTIONS: Record<WatchKind, string> = {
  ...KIND_LABELS,
  "google-drive": "Google Drive, shared by a link",
  drive: "Google Drive, with a service account",
};

export const STATE_LABELS: Record<WatchFileState, string> = {
  seen: "Waiting",
  taken: "In a job",
  skipped: "Skipped",
  failed: "Failed",
};

type Look = { tone: StatusTone; icon: LucideIcon; label: string };

export function lookOfFolder({ paused_at: pausedAt, pause_reason: reason, last_fault: failure }: WatchFolder): Look {
  if (pausedAt !== null) return { tone: reason === null ? "cancelled" : "warning", icon: CirclePause, label: "Paused" };
  if (failure !== null) return { tone: "failed", icon: CircleAlert, label: "Failing" };
  return { tone: "completed", icon: Eye, label: "Watching" };
}

const FILE_LOOKS: Record<WatchFileState, Pick<Look, "tone" | "icon">> = {
  seen: { tone: "queued", icon: CircleDashed },
  taken: { tone: "completed", icon: CircleCheck },
  skipped: { tone: "cancelled", icon: CircleMinus },
  failed: { tone: "failed", icon: CircleAlert },
};

export function lookOfFile(state: WatchFileState): Look {
  return { ...FILE_LOOKS[state], label: STATE_LABELS[state] };
}

/** Returns, for example, "12 files in jobs" and "3 skipped"; omits states without files. */
export function describeFiles({ files }: Pick<WatchFolder, "files">): string[] {
  return [
    files.taken > 0 && `${pluralize(files.taken, "file")} in jobs`,
    files.seen > 0 && `${pluralize(files.seen, "file")} waiting`,
    files.skipped > 0 && `${pluralize(files.skipped, "file")} skipped`,
    files.failed > 0 && `${pluralize(files.failed, "file")} failed`,
  ].filter((text) => text !== false);
}
