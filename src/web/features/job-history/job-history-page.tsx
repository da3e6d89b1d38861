import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { paths } from "../../app/routing/paths.ts";
import { type HistoryFilter, isFiltering, readHistoryFilter } from "../../jobs/cache/history-filter.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { type JobPages, jobsById, jobsOf, nextPageOf, toJobPage } from "../../jobs/cache/job-pages.ts";
import { newerOf } from "../../jobs/cache/newer-row.ts";
import { useWithRestarted } from "../../jobs/cache/restarted-jobs.ts";
import { QueueNote } from "../../jobs/order/queue-note.tsx";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { EmptyState, OfflineState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { dismissToast } from "../../ui/toasts/toast-list.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { HistoryToolbar } from "./history-toolbar.tsx";
import { HistorySkeleton } from "./list/history-list.tsx";
import { HistoryHead } from "./list/history-row.tsx";
import { ListEnd } from "./list/list-end.tsx";
import { LoadedHistory } from "./list/loaded-history.tsx";
import { readPage } from "./list/read-page.ts";
import { useLiveHistory } from "./live/use-live-history.ts";

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

/** Keeps the filter in the URL; a new search replaces the history entry. */
function useHistoryFilter(): [HistoryFilter, (changes: Partial<HistoryFilter>) => void] {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { search, status, type } = readHistoryFilter(address);
  const filter = useMemo(() => ({ search, status, type }), [search, status, type]);

  function changeFilter(changes: Partial<HistoryFilter>) {
    const next = { ...filter, ...changes };
    void navigate({
      to: paths.jobHistory,
      search: {
        ...(next.search && { search: next.search }),
        ...(next.status && { status: next.status }),
        ...(next.type && { type: next.type }),
      },
      replace: "search" in changes,
    });
  }
  return [filter, changeFilter];
}

const LOAD_FAILED = {
  title: "Error loading jobs",
  description: "Failed to fetch job history. Please try again.",
};

function useJobHistory(filter: HistoryFilter) {
  const client = useQueryClient();
  const toast = useToast();
  const key = jobKeys.history(filter);
  const isReady = useLiveHistory();
  const query = useInfiniteQuery({
    queryKey: key,
    enabled: isReady,
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const loadedPages = client.getQueryData<JobPages>(key)?.pages.length ?? 0;
      const { jobs, total } = await readPage(pageParam, filter, { loadedPages, signal });
      const cached = client.getQueryData<JobPages>(key);
      return toJobPage({ jobs: cached ? jobs.map((job) => newerOf(job, jobsById(cached).get(job.id))) : jobs, total });
    },
    getNextPageParam: (_last, pages, lastNumber) => nextPageOf(pages, lastNumber),
    // Live changes keep the list current; refetching all pages on focus would be wasteful.
    refetchOnWindowFocus: false,
  });
  const { error } = query;
  useEffect(() => {
    if (!error) return undefined;
    const id = toast.show({ ...LOAD_FAILED, variant: "destructive" });
    // Dismisses the toast with the error or the screen.
    return () => dismissToast(id);
  }, [error, toast]);
  return query;
}
