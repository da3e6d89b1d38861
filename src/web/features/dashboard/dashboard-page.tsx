import { Suspense } from "react";
import { QueueNote } from "../../jobs/order/queue-note.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { RecentJobs } from "./recent-jobs.tsx";
import { StatCards } from "./stat-cards.tsx";
import { useDashboard } from "./use-dashboard.ts";
import { WelcomeBanner } from "./welcome-banner.tsx";

const QuickStart = lazyPart(() => import("./quick-start.tsx"));

const NO_STATS = { videosToday: 0, jobsToday: 0, processing: 0, awaitingApproval: 0, queued: 0, cancelling: 0 };

/** Renders as empty if loading fails (SPEC section 8). */
export function DashboardPage() {
  const { data, isLoading, isOffline, captionSets, audioSets } = useDashboard();
  const { jobs, stats } = data ?? (isLoading ? {} : { jobs: [], stats: NO_STATS });
  return (
    <Pane>
      <WelcomeBanner stats={data?.stats} />
      <Suspense fallback={<div className="h-[61px] border-b border-line max-desk:h-[69px]" />}>
        <QuickStart />
      </Suspense>
      <StatCards stats={stats} captionSets={captionSets} audioSets={audioSets} />
      <QueueNote className="px-6 pt-5 max-desk:px-4" />
      <RecentJobs jobs={jobs} isOffline={isOffline} />
    </Pane>
  );
}
