import { Plus } from "lucide-react";
import { Suspense } from "react";
import type { DashboardStats } from "#contract/calls.ts";
import { paths } from "../../app/routing/paths.ts";
import { useClaimingNote } from "../../jobs/order/use-claiming.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Mark } from "../../ui/page/mark.tsx";
import { describeActivity } from "./describe-activity.ts";
import { QueueNote } from "../../jobs/order/queue-note.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { RecentJobs } from "./recent-jobs.tsx";
import { StatCards } from "./stat-cards.tsx";
import { useDashboard } from "./use-dashboard.ts";

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

function WelcomeBanner({ stats }: { stats: DashboardStats | undefined }) {
  const isHeldUp = useClaimingNote() !== null;
  return (
    <div className="relative flex min-h-28 items-center gap-4 overflow-hidden border-b border-line px-6 py-5 max-desk:grid max-desk:px-4 desk:rounded-t-3">
      <Mark className="pointer-events-none absolute -top-11 right-[196px] size-[200px] text-ink opacity-[.04] max-desk:hidden" />
      <div className="min-w-0 flex-1">
        <h1 className="text-20">Welcome back</h1>
        <p className="min-h-5">{stats && describeActivity(stats, isHeldUp)}</p>
      </div>
      <div className="relative grid">
        <LinkButton look="primary" icon={Plus} to={paths.createJob}>
          Create New Job
        </LinkButton>
      </div>
    </div>
  );
}
