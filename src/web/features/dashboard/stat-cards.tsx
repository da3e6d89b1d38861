import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { DashboardStats } from "#contract/calls.ts";
import { paths } from "../../app/routing/paths.ts";
import { pluralize, formatCount } from "../../jobs/row/pluralize.ts";
import { MetaLine } from "../../jobs/row/job-row.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { describeActiveJobs, countActive } from "./describe-activity.ts";
import type { SavedItems } from "./use-dashboard.ts";

type StatCardsProps = {
  stats:
    | Pick<DashboardStats, "videosToday" | "jobsToday" | "processing" | "awaitingApproval" | "queued" | "cancelling">
    | undefined;
  captionSets: SavedItems | undefined;
  audioSets: SavedItems | undefined;
};

export function StatCards({ stats, captionSets, audioSets }: StatCardsProps) {
  const isBusy = !stats || !captionSets || !audioSets;
  return (
    <div className="grid grid-cols-2 border-b border-line desk:grid-cols-4 desk:px-6" aria-busy={isBusy}>
      <div className={CARD}>
        <StatLabel>Videos Processed Today</StatLabel>
        <StatFigure figure={stats?.videosToday} meta={stats && [`from ${pluralize(stats.jobsToday, "job")}`]} />
      </div>
      <div className={CARD}>
        <StatLabel>Active Jobs</StatLabel>
        <StatFigure figure={stats && countActive(stats)} meta={stats && describeActiveJobs(stats)} />
      </div>
      <Link to={paths.captionSets} className={`group ${CARD}`}>
        <StatLabel isLink>Saved Caption Sets</StatLabel>
        <StatFigure figure={captionSets?.sets} meta={captionSets && [pluralize(captionSets.items, "caption")]} />
      </Link>
      <Link to={paths.audioSets} className={`group ${CARD}`}>
        <StatLabel isLink>Saved Audio Sets</StatLabel>
        <StatFigure figure={audioSets?.sets} meta={audioSets && [pluralize(audioSets.items, "track")]} />
      </Link>
    </div>
  );
}

const CARD =
  "block min-w-0 border-line px-5 pt-4 pb-5 desk:not-first:border-l desk:first:pl-0 desk:last:pr-0 " +
  "max-desk:px-4 max-desk:pt-3 max-desk:pb-4 max-desk:even:border-l max-desk:nth-[n+3]:border-t";

function StatLabel({ isLink = false, children }: { isLink?: boolean; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-2 font-medium text-ink-2 transition-colors group-hover:text-ink">
      {children}
      {isLink && <Icon icon={ArrowRight} size={14} className="shrink-0 text-ink-3 group-hover:text-ink" />}
    </div>
  );
}

function StatFigure({ figure, meta }: { figure: number | undefined; meta: string[] | undefined }) {
  if (figure === undefined || !meta) {
    return (
      <>
        <Skeleton className="mt-3 mb-3 h-6 w-14" />
        <Skeleton className="h-2.5 w-24" />
      </>
    );
  }
  return (
    <>
      <p className="tnum mt-2 mb-0.5 text-28 font-semibold text-ink max-desk:mt-1">{formatCount(figure)}</p>
      <MetaLine parts={meta} />
    </>
  );
}
