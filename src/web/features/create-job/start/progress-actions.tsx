import { CircleStop, Download } from "lucide-react";
import { useState } from "react";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { CancelJobDialog } from "../../../jobs/actions/cancel-job-dialog.tsx";
import { canCancel } from "../../../jobs/actions/can-cancel.ts";
import { useCancelJob } from "../../../jobs/actions/use-cancel-job.ts";
import { useDownloadZip } from "../../../jobs/actions/use-download-zip.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";

/** `job` is null until the server has created it. */
export function ProgressActions({ job, isNextReady }: { job: Job | null; isNextReady: boolean }) {
  const cancel = useCancelJob();
  const { download, isFetchingLink } = useDownloadZip();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [wasDialogOpened, setWasDialogOpened] = useState(false);
  function openDialog() {
    setIsDialogOpen(true);
    setWasDialogOpened(true);
  }
  return (
    <div className="flex flex-wrap gap-x-1.5 gap-y-2 max-desk:*:flex-1">
      {job && (
        <LinkButton to={paths.job} params={{ jobId: job.id }} size="sm" look={isNextReady ? "neutral" : "primary"}>
          Open job
        </LinkButton>
      )}
      {job && canCancel(job) && (
        <Button size="sm" icon={CircleStop} onClick={openDialog}>
          Cancel
        </Button>
      )}
      {job?.download_url && isFinal(job.status) && (
        <Button size="sm" icon={Download} isBusy={isFetchingLink} onClick={() => download(job.id)}>
          Download
        </Button>
      )}
      <LinkButton to={paths.jobHistory} size="sm" look="quiet">
        View Job History
      </LinkButton>
      {job && wasDialogOpened && (
        <CancelJobDialog
          job={job}
          isOpen={isDialogOpen}
          onConfirm={() => cancel(job.id)}
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </div>
  );
}
