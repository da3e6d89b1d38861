import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../../app/routing/paths.ts";
import { isJobId, isMissingJob } from "../../jobs/job-address.ts";
import { OfflineState, EmptyState } from "../../ui/states/empty-state.tsx";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { ReviewView } from "./review-view.tsx";
import { useReviewJob, useReviewOutputs } from "./use-review-data.ts";

export function ReviewPage() {
  const { jobId } = useParams({ strict: false });
  return isJobId(jobId) ? <ReviewOfJob key={jobId} jobId={jobId} /> : <MissingJob />;
}

function ReviewOfJob({ jobId }: { jobId: string }) {
  const job = useReviewJob(jobId);
  const outputs = useReviewOutputs(jobId);
  if (isMissingJob(job.error)) return <MissingJob />;
  const failed = [job, outputs].find((query) => query.error && !query.data);
  if (failed?.error) {
    return (
      <StatePane>
        <ErrorState
          title="Couldn't load this review"
          text={failed.error.message}
          isRetrying={failed.isFetching}
          onRetry={() => [job, outputs].forEach((query) => void query.refetch())}
        />
      </StatePane>
    );
  }
  if (!job.data || !outputs.data) {
    return <StatePane>{job.isPaused || outputs.isPaused ? <OfflineState /> : <Loading />}</StatePane>;
  }
  if (outputs.data.length === 0) {
    const wasDeleted = typeof job.data.files_deleted_at === "string";
    return (
      <StatePane>
        <EmptyState
          title="Nothing to review"
          text={
            wasDeleted
              ? "This job's files were deleted when their retention period ended."
              : "This job has no finished files yet."
          }
          action={
            <LinkButton to={paths.job} params={{ jobId }}>
              Back to the job
            </LinkButton>
          }
        />
      </StatePane>
    );
  }
  return <ReviewView job={job.data} saved={outputs.data} onReload={() => void outputs.refetch()} />;
}

function Loading() {
  return (
    <div aria-busy className="grid gap-4 p-6 max-desk:p-4">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-6 w-60" />
      <Skeleton className="h-[50dvh] w-full" />
      <Skeleton className="h-16 w-full" />
    </div>
  );
}

function MissingJob() {
  return (
    <StatePane>
      <EmptyState
        title="This job does not exist."
        text="It may have been deleted, or the address is incomplete."
        action={<LinkButton to={paths.jobHistory}>Back to Job History</LinkButton>}
      />
    </StatePane>
  );
}

function StatePane({ children }: { children: ReactNode }) {
  return (
    <Pane>
      <h1 className="sr-only">Review</h1>
      {children}
    </Pane>
  );
}
