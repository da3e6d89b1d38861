import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import { readJobOutputs, readJobVideos } from "../../api/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
import { asCancelling, useCancellingIds } from "../../jobs/actions/use-cancel-job.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { keepNewer } from "../../jobs/cache/newer-row.ts";
import { isJobId, isMissingJob } from "../../jobs/job-address.ts";
import { readWholeJob } from "../../jobs/read-whole-job.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Pane, RailPane } from "../../ui/dialogs/pane.tsx";
import { EmptyState, OfflineState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { JobView } from "./job-view.tsx";
import { groupByVideo, type OutputsByVideo } from "./outputs/outputs-by-video.ts";
import { useFeedback } from "./proof/use-proof.ts";
import { isWaiting } from "./videos/video-groups.ts";

export function JobPage() {
  const { jobId } = useParams({ strict: false });
  return isJobId(jobId) ? <JobById key={jobId} jobId={jobId} /> : <MissingJob />;
}

function JobById({ jobId }: { jobId: string }) {
  const job = useJob(jobId);
  const videos = useJobVideos(jobId);
  const outputs = useJobOutputs(jobId);
  const feedback = useFeedback(job.data);
  const isCancelling = useCancellingIds().has(jobId);
  const failed = [job, videos, outputs].find((query) => query.error && !query.data);

  if (isMissingJob(job.error)) return <MissingJob />;
  if (failed?.error) {
    return (
      <StatePane>
        <ErrorState
          title="Couldn't load this job"
          text={failed.error.message}
          isRetrying={failed.isFetching}
          onRetry={() => [job, videos, outputs].forEach((query) => void query.refetch())}
        />
      </StatePane>
    );
  }
  if (!job.data || !videos.data || !outputs.data) {
    return [job, videos, outputs].some((query) => query.isPaused) ? (
      <StatePane>
        <OfflineState />
      </StatePane>
    ) : (
      <JobSkeleton />
    );
  }
  // Samples and comments come with the page: later, they would push down what is being read.
  if (feedback.isLoading) return <JobSkeleton />;
  return (
    <Suspense fallback={<JobSkeleton />}>
      <JobView job={isCancelling ? asCancelling(job.data) : job.data} videos={videos.data} outputs={outputs.data} />
    </Suspense>
  );
}

function MissingJob() {
  return (
    <StatePane>
      <div className="pt-[12vh]">
        <EmptyState
          title="This job does not exist."
          text="It may have been deleted, or the address is incomplete."
          action={<LinkButton to={paths.jobHistory}>Back to Job History</LinkButton>}
        />
      </div>
    </StatePane>
  );
}

function StatePane({ children }: { children: ReactNode }) {
  return (
    <Pane>
      <h1 className="sr-only">Job</h1>
      {children}
    </Pane>
  );
}

function JobSkeleton() {
  return (
    <>
      <Pane>
        <h1 className="sr-only">Job</h1>
        <div aria-busy aria-label="Loading the job" className="grid gap-3 px-6 py-5 max-desk:px-4">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-6 w-64 max-w-full" />
        </div>
        {["w-44", "w-36", "w-52"].map((width) => (
          <div key={width} className="border-t border-line px-6 py-4 max-desk:px-4">
            <Skeleton className={`h-3.5 ${width}`} />
          </div>
        ))}
      </Pane>
      <RailPane label="Progress" className="max-desk:hidden">
        <div className="grid gap-3 p-5">
          <Skeleton className="h-3 w-20" />
          <Skeleton className="h-7 w-36" />
          <Skeleton className="h-3" />
        </div>
      </RailPane>
    </>
  );
}

/** A queue position changes without a row change, so queued jobs are polled. */
const QUEUED_REFRESH_MS = 5_000;

/** Another job's video may probe the host this job waits for, so overdue videos are polled. */
const OVERDUE_REFRESH_MS = 5_000;

function isOverdue(video: JobVideo): boolean {
  return isWaiting(video) && video.next_try_at !== null && Date.parse(video.next_try_at) < Date.now();
}

/** Includes the long lists. Polls every 5 s while Queued. */
function useJob(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: jobKeys.job(id),
    queryFn: () => readWholeJob(client, id),
    refetchInterval: ({ state }) => (state.data?.status === "Queued" ? QUEUED_REFRESH_MS : false),
  });
}

/** Reads in job order. Keeps newer rows from live changes; polls every 5 s while a retry is overdue. */
function useJobVideos(jobId: string) {
  const client = useQueryClient();
  const key = jobKeys.videos(jobId);
  return useQuery({
    queryKey: key,
    queryFn: async () => keepNewer(await readJobVideos(jobId), client.getQueryData<JobVideo[]>(key) ?? []),
    refetchInterval: ({ state }) => (state.data?.some(isOverdue) ? OVERDUE_REFRESH_MS : false),
  });
}

/** Groups by video ID. Keeps newer rows from live changes. */
function useJobOutputs(jobId: string) {
  const client = useQueryClient();
  const key = jobKeys.outputs(jobId);
  return useQuery({
    queryKey: key,
    queryFn: async () => {
      const response = await readJobOutputs(jobId);
      const cached = client.getQueryData<OutputsByVideo>(key);
      return groupByVideo(keepNewer(response, cached ? Object.values(cached).flat() : []));
    },
    // Rerendering thousands of rows is faster than comparing them deeply.
    structuralSharing: false,
  });
}
