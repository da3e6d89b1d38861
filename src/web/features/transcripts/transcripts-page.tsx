import { useInfiniteQuery } from "@tanstack/react-query";
import { Navigate, useSearch } from "@tanstack/react-router";
import { BookA } from "lucide-react";
import { type TranscriptFilter, transcriptKeys, listTranscripts } from "../../api/functions/transcripts.ts";
import { paths } from "../../app/routing/paths.ts";
import { sectionLink } from "../../app/routing/settings-sections.ts";
import { isJobId } from "../../jobs/job-address.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { ShowOlder } from "../../ui/page/show-older.tsx";
import { EmptyState, OfflineState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { isUnfinished } from "./status.ts";
import { TranscriptTable, TranscriptTableSkeleton } from "./transcript-table.tsx";

const PAGE = 50;
/** Poll interval while a transcript is in progress. */
const REFRESH_MS = 3_000;

export function TranscriptsPage() {
  const { job, video }: Record<string, unknown> = useSearch({ strict: false });
  const filter: TranscriptFilter = {
    ...(isId(job) && { job_id: job }),
    ...(isId(video) && { video_id: video }),
  };
  const query = useTranscripts(filter);
  const pages = query.data?.pages;
  const total = pages?.at(-1)?.total ?? 0;
  const [only] = pages?.[0]?.data ?? [];
  // The link of a video leads to its only transcript.
  if (filter.video_id && total === 1 && only)
    return <Navigate to={paths.transcript} params={{ transcriptId: only.id }} replace />;
  return (
    <Pane>
      <PageHead title="Transcripts" subtitle={total > 0 ? describe(total, filter) : "The words spoken in videos"}>
        {isFiltered(filter) && <LinkButton to={paths.transcripts}>Show all</LinkButton>}
        <LinkButton icon={BookA} {...sectionLink("names")}>
          Names
        </LinkButton>
      </PageHead>
      <Content query={query} filter={filter} />
    </Pane>
  );
}

function Content({ query, filter }: { query: ReturnType<typeof useTranscripts>; filter: TranscriptFilter }) {
  if (query.isLoadingError) {
    return (
      <ErrorState
        title="Couldn't load the transcripts"
        text={query.error.message}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (!query.data) return query.isPaused ? <OfflineState /> : <TranscriptTableSkeleton />;
  // A transcript added since then shifts others to the next page.
  const all = query.data.pages.flatMap(({ data }) => data);
  const transcripts = [...new Map(all.map((one) => [one.id, one])).values()];
  if (transcripts.length === 0) return <NoTranscripts filter={filter} />;
  return (
    <>
      <TranscriptTable transcripts={transcripts} />
      <ShowOlder query={query} className="px-6 py-3 max-desk:px-4" />
    </>
  );
}

function NoTranscripts({ filter }: { filter: TranscriptFilter }) {
  if (isFiltered(filter)) {
    return (
      <EmptyState
        title={filter.video_id ? "This video has no transcript" : "This job has no transcripts"}
        text="A transcript appears here when a video with subtitles is processed."
        action={<LinkButton to={paths.transcripts}>Show all transcripts</LinkButton>}
      />
    );
  }
  return (
    <EmptyState
      title="No transcripts yet"
      text="Turn on subtitles in a job. The words spoken in its videos appear here. Correct them once for all files."
      action={
        <LinkButton look="primary" to={paths.createJob}>
          Create a job
        </LinkButton>
      }
    />
  );
}

function useTranscripts(filter: TranscriptFilter) {
  return useInfiniteQuery({
    queryKey: transcriptKeys.list(filter),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => listTranscripts(filter, { page: pageParam, limit: PAGE }, signal),
    getNextPageParam: ({ data, total }, pages) =>
      data.length === PAGE && pages.length * PAGE < total ? pages.length + 1 : undefined,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]!.data.some(isUnfinished) ? REFRESH_MS : false,
  });
}

function describe(total: number, filter: TranscriptFilter): string {
  const count = pluralize(total, "transcript");
  if (filter.video_id) return `${count} of one video`;
  return filter.job_id ? `${count} of one job` : count;
}

function isFiltered(filter: TranscriptFilter): boolean {
  return filter.job_id !== undefined || filter.video_id !== undefined;
}

function isId(value: unknown): value is string {
  return typeof value === "string" && isJobId(value);
}
