import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../../app/routing/paths.ts";
import { isJobId, isMissingJob } from "../../jobs/job-address.ts";
import { OfflineState, EmptyState } from "../../ui/states/empty-state.tsx";
import { asCancelling, useCancellingIds } from "../../jobs/actions/use-cancel-job.ts";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { JobSkeleton } from "./job-skeleton.tsx";
import { JobView } from "./job-view.tsx";
import { useJob, useJobOutputs, useJobVideos } from "./use-job.ts";

export function JobPage() {
  const { jobId } = useParams({ strict: false });
  return isJobId(jobId) ? <JobById key={jobId} jobId={jobId} /> : <MissingJob />;
}

function JobById({ jobId }: { jobId: string }) {
  const job = useJob(jobId);
  const videos = useJobVideos(jobId);
  const outputs = useJobOutputs(jobId);
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
  return <JobView job={isCancelling ? asCancelling(job.data) : job.data} videos={videos.data} outputs={outputs.data} />;
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
