import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { pluralize } from "../row/pluralize.ts";
import { quoteName } from "../row/cut-text.ts";

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
  const hasLinks = jobs.some(({ link_domain_id: domainId }) => domainId !== null);
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
          ? `${quoteName(jobTitle(first))} and its files will be permanently deleted.${hasLinks ? " Its links stay in Cloak Manager." : ""}`
          : `These jobs and their files will be permanently deleted.${hasLinks ? " Their links stay in Cloak Manager." : ""}`
      }
      confirmLabel={isOne ? "Delete job" : `Delete ${pluralize(jobs.length, "job")}`}
      cancelLabel={isOne ? "Keep job" : "Keep jobs"}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  );
}
