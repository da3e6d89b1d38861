import { useEffect, useRef } from "react";
import { isFinal, type Job } from "#contract/jobs/jobs.ts";
import { useDownloadZip } from "../../../jobs/actions/use-download-zip.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";

/** Shows a toast once when the job completes or fails; not if it was canceled or had already ended when loaded. */
export function useEndToast(job: Job | null) {
  const toast = useToast();
  const { download } = useDownloadZip();
  const running = useRef<string | null>(null);
  const { id, status } = job ?? {};
  useEffect(() => {
    if (!job) return;
    if (!isFinal(job.status)) {
      running.current = job.id;
      return;
    }
    if (running.current !== job.id) return;
    running.current = null;
    if (job.status === "Completed") {
      toast.show({
        title: "Processing Complete!",
        description: job.error_message ?? `The files for "${job.job_name}" are ready.`,
        variant: "success",
        action: job.download_url === null ? undefined : { label: "Download", onClick: () => download(job.id) },
      });
    }
    if (job.status === "Failed") {
      toast.show({ title: "Processing failed", description: job.error_message ?? undefined, variant: "destructive" });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one toast for each end, whatever else of the job changes
  }, [id, status]);
}
