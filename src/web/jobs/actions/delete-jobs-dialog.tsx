import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { pluralize } from "../row/pluralize.ts";
import { quoteName } from "../row/quote-name.ts";

export function DeleteJobsDialog({
  jobs,
  isOpen,
  onConfirm,
  onClose,
}: {
  jobs: readonly Job[];
  isOpen: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [first] = jobs;
  const isOne = jobs.length === 1;
  function handleConfirm() {
    onConfirm();
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={isOne ? "Delete this job?" : `Delete ${pluralize(jobs.length, "job")}?`}
      text={
        isOne && first
          ? `${quoteName(jobTitle(first))} and its files will be permanently deleted.`
          : "These jobs and their files will be permanently deleted."
      }
      confirmLabel={isOne ? "Delete job" : `Delete ${pluralize(jobs.length, "job")}`}
      cancelLabel={isOne ? "Keep job" : "Keep jobs"}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  );
}
