import {
  Captions,
  CircleHelp,
  CircleStop,
  Clapperboard,
  Download,
  KeyRound,
  ListMusic,
  LogOut,
  Pause,
  Play,
  Plug,
  Send,
  Subtitles,
  SunMoon,
} from "lucide-react";
import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { statusLabel } from "../../jobs/status/status-label.ts";
import { canCancel } from "../../jobs/actions/can-cancel.ts";
import type { LucideIcon } from "../../ui/page/icon.tsx";
import { type NavigationItem, GROUPS, SETTINGS } from "../routing/navigation.ts";
import { paths } from "../routing/paths.ts";
import { type SectionAction, type SectionHash, SETTINGS_SECTIONS } from "../routing/settings-sections.ts";
import { findCaption, readVerb, type Found, type NamedSet } from "./keep-matching.ts";

export type PaletteAction = GlobalAction | { cancel: Job } | { download: Job } | QueueAction;
export type QueueAction = { action: "pause-queue" | "resume-queue" };
export type GlobalAction =
  | { to: NavigationItem["to"]; search?: { search: string } }
  | { jobId: string }
  /** A section, or a hash that opens a dialog of one. */
  | { settings: SectionHash | SectionAction }
  | "new-job"
  | "theme"
  | "shortcuts"
  | "sign-out";

export type PaletteItem = {
  id: string;
  label: string;
  /** Beside the label: why the item was found. */
  detail?: string | null;
  note?: string;
  icon: LucideIcon;
  act: PaletteAction;
};
export type PaletteGroup = { value: string; items: PaletteItem[] };

const ACTIONS: readonly PaletteItem[] = [
  { id: "new-job", label: "Create New Job", icon: Clapperboard, act: "new-job" },
  { id: "new-destination", label: "New destination", icon: Send, act: { settings: "new-destination" } },
  { id: "new-connection", label: "New connection", icon: Plug, act: { settings: "new-connection" } },
  { id: "theme", label: "Switch theme", icon: SunMoon, act: "theme" },
  { id: "password", label: "Change password", icon: KeyRound, act: { settings: "password" } },
  { id: "shortcuts", label: "Keyboard shortcuts", icon: CircleHelp, act: "shortcuts" },
  { id: "sign-out", label: "Sign Out", icon: LogOut, act: "sign-out" },
];

/** Not in the sidebar. */
const TRANSCRIPTS: NavigationItem = { label: "Transcripts", to: paths.transcripts, icon: Subtitles };

const PAGES: readonly PaletteItem[] = [...GROUPS.flatMap(({ items }) => items), TRANSCRIPTS, SETTINGS].map(
  ({ label, to, icon }) => ({ id: to, label, icon, act: { to } }),
);

/** `isPaused` is null while unknown. */
export function paletteGroups(typed: string, found: Found, isPaused: boolean | null): PaletteGroup[] {
  const query = typed.trim().toLowerCase();
  const matching = (items: readonly PaletteItem[]) => items.filter(({ label }) => label.toLowerCase().includes(query));
  const groups: PaletteGroup[] = [
    { value: "Pages", items: matching(PAGES) },
    { value: "Settings", items: settingsItems(query) },
    {
      value: query === "" ? "Recent jobs" : "Jobs",
      items: found.jobs.map((job) => ({
        id: job.id,
        label: jobTitle(job),
        detail: jobTitle(job).toLowerCase().includes(query) ? null : findCaption(job, query),
        note: statusLabel(job),
        icon: Clapperboard,
        act: { jobId: job.id },
      })),
    },
    {
      value: "Sets",
      items: [
        ...setItems(found.captionSets, { to: paths.captionSets, icon: Captions, note: "Caption set" }),
        ...setItems(found.audioSets, { to: paths.audioSets, icon: ListMusic, note: "Audio set" }),
      ],
    },
    { value: "Actions", items: [...jobActions(query, found), ...matching([...ACTIONS, ...queueItems(isPaused)])] },
  ];
  // A typed verb more likely means the action than a name.
  if (readVerb(query) !== null) groups.unshift(...groups.splice(-1));
  return groups.filter(({ items }) => items.length > 0);
}

function settingsItems(query: string): PaletteItem[] {
  if (query === "") return [];
  return SETTINGS_SECTIONS.filter(({ title, tab, words }) =>
    `${title} ${tab} ${words} settings`.toLowerCase().includes(query),
  ).map(({ hash, title, tab }) => ({
    id: `settings ${hash}`,
    label: title,
    note: tab === title ? "Settings" : `Settings, ${tab}`,
    icon: SETTINGS.icon,
    act: { settings: hash },
  }));
}

function queueItems(isPaused: boolean | null): PaletteItem[] {
  if (isPaused === null) return [];
  return isPaused
    ? [{ id: "queue", label: "Resume queue", icon: Play, act: { action: "resume-queue" } }]
    : [{ id: "queue", label: "Pause queue", icon: Pause, act: { action: "pause-queue" } }];
}

function jobActions(query: string, { jobs, actionJobs }: Found): PaletteItem[] {
  if (query === "") return [];
  const verb = readVerb(query)?.verb;
  const all = [...new Map([...actionJobs, ...jobs].map((job) => [job.id, job])).values()];
  const cancels = verb === "download" ? [] : all.filter(canCancel).map((job) => cancelItem(job));
  const downloads =
    verb === "cancel" ? [] : all.filter((job) => job.download_url !== null).map((job) => downloadItem(job));
  return [...cancels, ...downloads];
}

function cancelItem(job: Job): PaletteItem {
  const note = statusLabel(job);
  return { id: `cancel ${job.id}`, label: `Cancel ${jobTitle(job)}`, note, icon: CircleStop, act: { cancel: job } };
}

function downloadItem(job: Job): PaletteItem {
  return {
    id: `download ${job.id}`,
    label: `Download ${jobTitle(job)}`,
    note: "Zip",
    icon: Download,
    act: { download: job },
  };
}

function setItems(
  sets: readonly NamedSet[],
  kind: { to: typeof paths.captionSets | typeof paths.audioSets; icon: LucideIcon; note: string },
): PaletteItem[] {
  const { to, icon, note } = kind;
  return sets.map(({ id, name }) => ({ id, label: name, note, icon, act: { to, search: { search: name } } }));
}
