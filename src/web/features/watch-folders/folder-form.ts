import { problemOfJobName } from "#contract/watch-folders/job-name-pattern.ts";
import { problemOfWatchPlace } from "#contract/watch-folders/watch-place.ts";
import {
  type Existing,
  type Grouping,
  isConnected,
  WATCH_DEFAULTS,
  WATCH_LIMITS,
  type WatchFolder,
  type WatchKind,
} from "#contract/watch-folders/watch-folders.ts";
import type { WatchFolderDraft } from "../../api/functions/watch-folders.ts";

export type FolderForm = {
  name: string;
  kind: WatchKind;
  place: string;
  /** "" if none is chosen, and for kinds without a connection. */
  connectionId: string;
  presetId: string | null;
  jobName: string;
  grouping: Grouping;
  existing: Existing;
  interval: string;
  settle: string;
};

export function toFolderForm(folder: WatchFolder | null): FolderForm {
  const values = folder ?? WATCH_DEFAULTS;
  return {
    name: folder?.name ?? "",
    kind: folder?.kind ?? "local",
    place: folder?.place ?? "",
    connectionId: folder?.connection_id ?? "",
    presetId: folder?.preset_id ?? null,
    jobName: values.job_name,
    grouping: values.grouping,
    existing: values.existing,
    interval: String(values.interval_seconds),
    settle: String(values.settle_seconds),
  };
}

/** Requires a valid form. */
export function toFolderDraft(form: FolderForm): WatchFolderDraft {
  return {
    name: form.name.trim(),
    kind: form.kind,
    place: form.place.trim(),
    connection_id: isConnected(form.kind) ? form.connectionId || null : null,
    preset_id: form.presetId ?? "",
    job_name: form.jobName.trim(),
    grouping: form.grouping,
    existing: form.existing,
    interval_seconds: Number(form.interval),
    settle_seconds: Number(form.settle),
  };
}

type Rule = (value: string, form: FolderForm) => true | string;

/** The server checks `place` further. */
export const folderRules = {
  name: (value) => {
    if (value.trim() === "") return "Enter a name.";
    return value.trim().length <= WATCH_LIMITS.nameCharacters || "Names can have at most 100 characters.";
  },
  place: (value, { kind }) =>
    value.trim() === "" ? "Choose a folder." : (problemOfWatchPlace(kind, value.trim()) ?? true),
  connectionId: (value, { kind }) => !isConnected(kind) || value !== "" || "Choose a connection.",
  jobName: (value) => problemOfJobName(value.trim()) ?? true,
  interval: secondsRule(WATCH_LIMITS.intervalSeconds),
  settle: secondsRule(WATCH_LIMITS.settleSeconds),
} satisfies Record<string, Rule>;

function secondsRule({ least, most }: { least: number; most: number }): Rule {
  return (value) => {
    const seconds = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN;
    return (seconds >= least && seconds <= most) || `Enter a whole number from ${least} to ${most}.`;
  };
}
