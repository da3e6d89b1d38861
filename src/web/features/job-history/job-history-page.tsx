import { useMemo } from "react";
import { paths } from "../../app/routing/paths.ts";
import { isFiltering } from "../../jobs/cache/history-filter.ts";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { jobsOf } from "../../jobs/cache/job-pages.ts";
import { useWithRestarted } from "../../jobs/cache/restarted-jobs.ts";
import { QueueNote } from "../../jobs/order/queue-note.tsx";
import { OfflineState, EmptyState } from "../../ui/states/empty-state.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { HistoryHead } from "./history-head.tsx";
import { HistorySkeleton } from "./list/history-list.tsx";
import { HistoryToolbar } from "./history-toolbar.tsx";
import { ListEnd } from "./list/list-end.tsx";
import { LoadedHistory } from "./list/loaded-history.tsx";
import { useHistoryFilter } from "./use-history-filter.ts";
import { LOAD_FAILED, useJobHistory } from "./use-job-history.ts";

/** With a search, the server stops counting just above this. */
const MOST_COUNTED = 10_000;

export function JobHistoryPage() {
  const [filter, changeFilter] = useHistoryFilter();
  const history = useJobHistory(filter);
  const total = history.data?.pages.at(-1)?.total;
  return (
    <Pane>
      <PageHead title="Job History" subtitle={describeTotal(total, filter.search !== "")}>
        <HistoryToolbar filter={filter} onChange={changeFilter} />
      </PageHead>
      <QueueNote className="px-6 pb-4 max-desk:px-4" />
      <HistoryContent
        // A new filter resets the selection and held-back jobs.
        key={JSON.stringify(filter)}
        history={history}
        isFiltering={isFiltering(filter)}
        onClear={() => changeFilter({ search: "", status: null, type: null })}
      />
    </Pane>
  );
}

function HistoryContent({
  history,
  isFiltering,
  onClear,
}: {
  history: ReturnType<typeof useJobHistory>;
  isFiltering: boolean;
  onClear: () => void;
}) {
  const { data, isFetching, isPaused, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    history;
  const loaded = useMemo(() => (data ? jobsOf(data) : []), [data]);
  const jobs = useWithRestarted(loaded);
  if (!data && history.isError) {
    return (
      <ErrorState
        title={LOAD_FAILED.title}
        text={LOAD_FAILED.description}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return isPaused ? (
      <OfflineState />
    ) : (
      <>
        <HistoryHead />
        <HistorySkeleton />
      </>
    );
  }
  if (jobs.length === 0 && !hasNextPage) return <NoJobs isFiltering={isFiltering} onClear={onClear} />;
  const total = data.pages.at(-1)?.total ?? jobs.length;
  return (
    <div className="has-[[role=toolbar]]:pb-16">
      <LoadedHistory jobs={jobs} total={total} />
      <ListEnd
        total={total}
        hasMore={hasNextPage}
        isLoading={isFetchingNextPage}
        isFetching={isFetching}
        hasFailed={isFetchNextPageError}
        onMore={() => void fetchNextPage()}
      />
    </div>
  );
}

function NoJobs({ isFiltering, onClear }: { isFiltering: boolean; onClear: () => void }) {
  return isFiltering ? (
    <EmptyState
      title="No jobs found"
      text="Try adjusting your filters to see more results."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      title="No jobs found"
      text="Start processing videos to see your job history here."
      action={
        <LinkButton look="primary" to={paths.createJob}>
          Start Processing
        </LinkButton>
      }
    />
  );
}

function describeTotal(total: number | undefined, isSearching: boolean): string {
  if (!total) return "Every job you start is listed here";
  if (isSearching && total > MOST_COUNTED) return `More than ${formatCount(MOST_COUNTED)} jobs`;
  return `${formatCount(total)} ${total === 1 ? "job" : "jobs"}`;
}
