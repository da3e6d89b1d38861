import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { isJustReloaded, reloadOnceReady } from "../../ui/page/lazy-part.ts";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Shell } from "../shell/shell.tsx";
import { paths } from "./paths.ts";
import { sectionLink } from "./settings-sections.ts";

/** Its code could not be loaded. */
class PageNotLoaded extends Error {}

/**
 * Works like `lazyRouteComponent`, which would reload the page at once: while the server cannot be reached, the browser
 * would show its own error page.
 */
function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch((cause: unknown): never => {
        throw new PageNotLoaded("The page's code could not be loaded.", { cause });
      }),
    name,
  );
}

function RouteError({ error }: ErrorComponentProps) {
  const [willReload] = useState(() => error instanceof PageNotLoaded && !isJustReloaded());
  useEffect(() => {
    if (!willReload) return undefined;
    const stop = new AbortController();
    void reloadOnceReady(stop.signal);
    return () => stop.abort();
  }, [willReload]);
  return (
    <Pane>
      <div className="pt-[12vh]">
        <ErrorState
          title="Couldn't load this page"
          text={
            willReload
              ? "The server can't be reached. This page will reload when the server is back."
              : "Something went wrong. Try again to reload the page."
          }
          // A reload also fetches code that a new version replaced.
          onRetry={willReload ? undefined : () => location.reload()}
        />
      </div>
    </Pane>
  );
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    title?: string;
    /** Without navigation. */
    isAlone?: boolean;
  }
  interface Register {
    router: typeof router;
  }
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: lazyPage(() => import("./not-found-page.tsx"), "NotFoundPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: paths.settings,
  component: lazyPage(() => import("../../features/settings/settings-page.tsx"), "SettingsPage"),
});

const settingsTabs = [
  createRoute({
    getParentRoute: () => settings,
    path: "/",
    // Also for addresses from before Settings had tabs, such as /settings#destinations.
    beforeLoad: ({ location }) => {
      throw redirect({ ...sectionLink(location.hash), replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => settings,
    path: "general",
    staticData: { title: "Settings" },
    component: lazyPage(() => import("../../features/settings/settings-tabs.tsx"), "GeneralTab"),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: "sources",
    staticData: { title: "Settings" },
    component: lazyPage(() => import("../../features/settings/settings-tabs.tsx"), "SourcesTab"),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: "account",
    staticData: { title: "Settings" },
    component: lazyPage(() => import("../../features/settings/settings-tabs.tsx"), "AccountTab"),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: "automation",
    staticData: { title: "Settings" },
    component: lazyPage(() => import("../../features/settings/settings-tabs.tsx"), "AutomationTab"),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: "system",
    staticData: { title: "Settings" },
    component: lazyPage(() => import("../../features/settings/settings-tabs.tsx"), "SystemTab"),
  }),
] as const;

const screens = [
  createRoute({
    getParentRoute: () => root,
    path: paths.dashboard,
    staticData: { title: "Dashboard" },
    component: lazyPage(() => import("../../features/dashboard/dashboard-page.tsx"), "DashboardPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.createJob,
    staticData: { title: "Create Jobs" },
    component: lazyPage(() => import("../../features/create-job/create-job-page.tsx"), "CreateJobPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.jobHistory,
    staticData: { title: "Job History" },
    component: lazyPage(() => import("../../features/job-history/job-history-page.tsx"), "JobHistoryPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.job,
    staticData: { title: "Job" },
    component: lazyPage(() => import("../../features/job/job-page.tsx"), "JobPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.review,
    staticData: { title: "Review" },
    component: lazyPage(() => import("../../features/review/review-page.tsx"), "ReviewPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.captionSets,
    staticData: { title: "Caption Sets" },
    component: lazyPage(() => import("../../features/caption-sets/caption-sets-page.tsx"), "CaptionSetsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.audioSets,
    staticData: { title: "Audio Sets" },
    component: lazyPage(() => import("../../features/audio-sets/audio-sets-page.tsx"), "AudioSetsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.presets,
    staticData: { title: "Presets" },
    component: lazyPage(() => import("../../features/presets/presets-page.tsx"), "PresetsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.library,
    staticData: { title: "Library" },
    component: lazyPage(() => import("../../features/library/library-page.tsx"), "LibraryPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.transcripts,
    staticData: { title: "Transcripts" },
    component: lazyPage(() => import("../../features/transcripts/transcripts-page.tsx"), "TranscriptsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.transcript,
    staticData: { title: "Transcript" },
    component: lazyPage(() => import("../../features/transcripts/transcript-page.tsx"), "TranscriptPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.watchFolders,
    staticData: { title: "Watch Folders" },
    component: lazyPage(() => import("../../features/watch-folders/watch-folders-page.tsx"), "WatchFoldersPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.captionLab,
    staticData: { title: "Caption Lab" },
    component: lazyPage(() => import("../../features/caption-lab/caption-lab-page.tsx"), "CaptionLabPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.cloakManager,
    staticData: { title: "Cloak Manager" },
    component: lazyPage(() => import("../../features/cloak-manager/cloak-manager-page.tsx"), "CloakManagerPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.batchScheduler,
    staticData: { title: "Batch Scheduler" },
    component: lazyPage(() => import("../../features/embedded-pages/embedded-pages.tsx"), "BatchSchedulerPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.warmupRobot,
    staticData: { title: "Warmup Robot" },
    component: lazyPage(() => import("../../features/embedded-pages/embedded-pages.tsx"), "WarmupRobotPage"),
  }),
  settings.addChildren(settingsTabs),
  createRoute({
    getParentRoute: () => root,
    path: paths.apiReference,
    staticData: { title: "API Reference" },
    component: lazyPage(() => import("../../features/api-reference/api-reference-page.tsx"), "ApiReferencePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.authorize,
    staticData: { title: "Connect an Assistant", isAlone: true },
    component: lazyPage(() => import("../../features/authorize/authorize-page.tsx"), "AuthorizePage"),
  }),
] as const;

/** Makes screens open immediately, even while the server restarts. */
export function preloadScreens(): void {
  for (const to of [paths.dashboard, paths.createJob, paths.jobHistory]) void router.preloadRoute({ to });
  void router.preloadRoute({ to: paths.job, params: { jobId: "any" } });
  // On failure, it loads when opened.
  import("../palette/palette-dialog.tsx").catch(() => undefined);
}

export const router = createRouter({
  routeTree: root.addChildren(screens),
  // Unknown addresses under /settings are the whole app's.
  notFoundMode: "root",
  defaultPreload: "intent",
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});
