import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { paths } from "./paths.ts";
import { RouteError } from "./route-error.tsx";
import { Shell } from "./shell.tsx";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** What the header and the document's title say. */
    title?: string;
  }
  interface Register {
    router: typeof router;
  }
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: lazyRouteComponent(() => import("./not-found-page.tsx"), "NotFoundPage"),
});

const screens = [
  createRoute({
    getParentRoute: () => root,
    path: paths.dashboard,
    staticData: { title: "Dashboard" },
    component: lazyRouteComponent(() => import("../features/dashboard/dashboard-page.tsx"), "DashboardPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.createJob,
    staticData: { title: "Create Jobs" },
    component: lazyRouteComponent(() => import("../features/create-job/create-job-page.tsx"), "CreateJobPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.jobHistory,
    staticData: { title: "Job History" },
    component: lazyRouteComponent(() => import("../features/job-history/job-history-page.tsx"), "JobHistoryPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.job,
    staticData: { title: "Job" },
    component: lazyRouteComponent(() => import("../features/job/job-page.tsx"), "JobPage"),
  }),
] as const;

const laterScreens = [
  laterScreen(paths.captionSets, "Caption Sets"),
  laterScreen(paths.audioSets, "Audio Sets"),
  laterScreen(paths.captionLab, "Caption Lab"),
  laterScreen(paths.cloakManager, "Cloak Manager"),
  laterScreen(paths.batchScheduler, "Batch Scheduler"),
  laterScreen(paths.warmupRobot, "Warmup Robot"),
  laterScreen(paths.settings, "Settings"),
] as const;

/** A route whose screen this version does not have yet. */
function laterScreen<Path extends string>(path: Path, title: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    staticData: { title },
    component: lazyRouteComponent(() => import("./later-page.tsx"), "LaterPage"),
  });
}

/** Fetches the code of the screens, so that each opens at once, and while the server restarts too. */
export function preloadScreens(): void {
  for (const to of [paths.dashboard, paths.createJob, paths.jobHistory]) void router.preloadRoute({ to });
  void router.preloadRoute({ to: paths.job, params: { jobId: "any" } });
}

export const router = createRouter({
  routeTree: root.addChildren([...screens, ...laterScreens]),
  defaultPreload: "intent",
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});
