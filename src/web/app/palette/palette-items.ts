import { CircleHelp, Clapperboard, Captions, ListMusic, LogOut, SunMoon } from "lucide-react";
import { type Job, jobTitle } from "#contract/jobs.ts";
import { statusLabel } from "../../jobs/status-label.ts";
import type { LucideIcon } from "../../ui/icon.tsx";
import { type Destination, GROUPS, SETTINGS } from "../destinations.ts";
import { paths } from "../paths.ts";
import type { NamedSet } from "./use-found.ts";

/** What choosing an item does. */
export type PaletteAct =
  | { to: Destination["to"]; search?: { search: string } }
  | { jobId: string }
  | "new-job"
  | "theme"
  | "shortcuts"
  | "sign-out";

export type PaletteItem = { id: string; label: string; note?: string; icon: LucideIcon; act: PaletteAct };
export type PaletteGroup = { value: string; items: PaletteItem[] };

const ACTIONS: readonly PaletteItem[] = [
  { id: "new-job", label: "Create New Job", icon: Clapperboard, act: "new-job" },
  { id: "theme", label: "Switch theme", icon: SunMoon, act: "theme" },
  { id: "shortcuts", label: "Keyboard shortcuts", icon: CircleHelp, act: "shortcuts" },
  { id: "sign-out", label: "Sign Out", icon: LogOut, act: "sign-out" },
];

const PAGES: readonly PaletteItem[] = [...GROUPS.flatMap(({ destinations }) => destinations), SETTINGS].map(
  ({ label, to, icon }) => ({ id: to, label, icon, act: { to } }),
);

/** The groups of the palette for what was typed; groups with nothing in them are left out. */
export function paletteGroups(
  typed: string,
  found: { jobs: readonly Job[]; captionSets: readonly NamedSet[]; audioSets: readonly NamedSet[] },
): PaletteGroup[] {
  const wanted = typed.trim().toLowerCase();
  const matching = (items: readonly PaletteItem[]) => items.filter(({ label }) => label.toLowerCase().includes(wanted));
  const groups: PaletteGroup[] = [
    { value: "Pages", items: matching(PAGES) },
    {
      value: wanted === "" ? "Recent jobs" : "Jobs",
      items: found.jobs.map((job) => ({
        id: job.id,
        label: jobTitle(job),
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
    { value: "Actions", items: matching(ACTIONS) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function setItems(
  sets: readonly NamedSet[],
  kind: { to: typeof paths.captionSets | typeof paths.audioSets; icon: LucideIcon; note: string },
): PaletteItem[] {
  const { to, icon, note } = kind;
  return sets.map(({ id, name }) => ({ id, label: name, note, icon, act: { to, search: { search: name } } }));
}
