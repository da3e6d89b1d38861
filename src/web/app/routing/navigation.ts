import {
  Bot,
  CalendarClock,
  Captions,
  Clapperboard,
  FlaskConical,
  FolderOpen,
  FolderSync,
  History,
  LayoutDashboard,
  ListMusic,
  Route,
  Settings,
  SlidersHorizontal,
} from "lucide-react";
import type { LucideIcon } from "../../ui/page/icon.tsx";
import { paths } from "./paths.ts";

export type NavigationItem = {
  label: string;
  to: Exclude<(typeof paths)[keyof typeof paths], typeof paths.job | typeof paths.review | typeof paths.transcript>;
  icon: LucideIcon;
};

export const GROUPS: readonly { name: string; items: readonly NavigationItem[] }[] = [
  {
    name: "Create",
    items: [
      { label: "Dashboard", to: paths.dashboard, icon: LayoutDashboard },
      { label: "Create Jobs", to: paths.createJob, icon: Clapperboard },
      { label: "Caption Sets", to: paths.captionSets, icon: Captions },
      { label: "Audio Sets", to: paths.audioSets, icon: ListMusic },
      { label: "Job History", to: paths.jobHistory, icon: History },
    ],
  },
  {
    name: "Tools",
    items: [
      { label: "Caption Lab", to: paths.captionLab, icon: FlaskConical },
      { label: "Cloak Manager", to: paths.cloakManager, icon: Route },
      { label: "Batch Scheduler", to: paths.batchScheduler, icon: CalendarClock },
      { label: "Warmup Robot", to: paths.warmupRobot, icon: Bot },
    ],
  },
  {
    name: "Assets",
    items: [
      { label: "Presets", to: paths.presets, icon: SlidersHorizontal },
      { label: "Library", to: paths.library, icon: FolderOpen },
    ],
  },
  {
    name: "Automation",
    items: [{ label: "Watch Folders", to: paths.watchFolders, icon: FolderSync }],
  },
];

export const SETTINGS: NavigationItem = { label: "Settings", to: paths.settings, icon: Settings };
