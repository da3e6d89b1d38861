import { useEffect } from "react";
import type { Job } from "#contract/jobs.ts";
import { useToast } from "../../ui/use-toast.ts";

/** Says once that the job in sight has ended, well or not. One cancelled by a person needs no message. */
export function useEndToast(job: Job | null) {
  const toast = useToast();
  const { id, status, job_name: name, error_message: reason } = job ?? {};
  useEffect(() => {
    if (status === "Completed") {
      toast.show({
        title: "Processing Complete!",
        description: reason ?? `The files of "${name}" are ready.`,
        variant: "success",
      });
    }
    if (status === "Failed") {
      toast.show({ title: "Processing failed", description: reason ?? undefined, variant: "destructive" });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one toast for each end, whatever else of the job changes
  }, [id, status]);
}
