import { Play, Plus, X } from "lucide-react";
import { Suspense, useState } from "react";
import type { DashboardResponse } from "#contract/calls.ts";
import { paths } from "../../app/routing/paths.ts";
import { useClaimingNote } from "../../jobs/order/use-claiming.ts";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
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
      <WelcomeBanner data={data} />
      <Suspense fallback={<div className="h-[61px] border-b border-line max-desk:h-[69px]" />}>
        <QuickStart />
      </Suspense>
      <StatCards stats={stats} captionSets={captionSets} audioSets={audioSets} />
      <QueueNote className="px-6 pt-5 max-desk:px-4" />
      <RecentJobs jobs={jobs} isOffline={isOffline} />
    </Pane>
  );
}

function WelcomeBanner({ data }: { data: Pick<DashboardResponse, "jobs" | "stats"> | undefined }) {
  const isHeldUp = useClaimingNote() !== null;
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(DISMISSED_KEY) !== null);
  const isFirst = data?.jobs.length === 0 && !isDismissed;
  function dismiss() {
    setIsDismissed(true);
    localStorage.setItem(DISMISSED_KEY, "yes");
  }
  return (
    <div className="relative flex min-h-28 items-center gap-x-6 gap-y-4 overflow-hidden border-b border-line px-6 py-5 max-desk:grid max-desk:px-4 desk:rounded-t-3">
      {/* Left of the one button. */}
      {!isFirst && (
        <Mark className="pointer-events-none absolute -top-11 right-[196px] size-[200px] text-ink opacity-[.04] max-desk:hidden" />
      )}
      <div className="min-w-0 flex-1">
        <h1 className="text-20">{isFirst ? "Welcome to Clipmill" : "Welcome back"}</h1>
        <p className={classNames("min-h-5 text-pretty", isFirst ? "max-w-[68ch]" : "max-w-[90ch]")}>
          {isFirst ? WELCOME : data && describeActivity(data.stats, isHeldUp)}
        </p>
      </div>
      <div className="flex items-center gap-2 desk:relative max-desk:*:[a]:flex-1">
        {isFirst && (
          <LinkButton look="primary" icon={Play} to={paths.createJob} search={{ samples: true }}>
            Try sample clips
          </LinkButton>
        )}
        <LinkButton look={isFirst ? "neutral" : "primary"} icon={Plus} to={paths.createJob}>
          Create New Job
        </LinkButton>
        {isFirst && (
          <IconButton
            icon={X}
            label="Dismiss"
            className="max-desk:absolute max-desk:top-2 max-desk:right-1"
            onClick={dismiss}
          />
        )}
      </div>
    </div>
  );
}

const DISMISSED_KEY = "clipmill-welcome-dismissed";
const WELCOME =
  "Clipmill adds captions, music and a watermark to many short videos at once. Paste links below to begin. " +
  "New here? Sample clips take you to finished files in a minute.";
