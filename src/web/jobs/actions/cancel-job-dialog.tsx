import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { pluralize } from "../row/pluralize.ts";
import { quoteName } from "../row/cut-text.ts";

export function CancelJobDialog({
  job,
  isOpen,
  onConfirm,
  onClose,
}: {
  job: Job;
  isOpen: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  function handleConfirm() {
    onConfirm();
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Cancel this job?"
      text={describeLoss(job)}
      confirmLabel="Cancel job"
      cancelLabel="Keep running"
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  );
}

function describeLoss(job: Job): string {
  const name = quoteName(jobTitle(job));
  const done = job.status === "Processing" ? (job.current_video ?? 1) - 1 : 0;
  if (done === 0) return `${name} stops immediately. You can rerun it later.`;
  return `${name} stops immediately. ${done} of ${pluralize(job.total_videos, "video")} ${done === 1 ? "is" : "are"} done. Finished files are kept.`;
}
