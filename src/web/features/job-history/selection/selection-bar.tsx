import { CircleStop, Download, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Job } from "#contract/jobs/jobs.ts";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { DeleteJobsDialog } from "../../../jobs/actions/delete-jobs-dialog.tsx";
import { canCancel } from "../../../jobs/actions/can-cancel.ts";
import { canDelete } from "../../../jobs/actions/use-delete-jobs.ts";
import { canRerun } from "../../../jobs/rerun/use-rerun-job.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import type { LucideIcon } from "../../../ui/page/icon.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { SelectionToolbar } from "../../../ui/selection/selection-toolbar.tsx";
import { useManyJobs } from "./use-many-jobs.ts";

export function SelectionBar({ selected, onClear }: { selected: readonly Job[]; onClear: () => void }) {
  const many = useManyJobs();
  // The jobs that the dialog asks about: the selected ones may start or end while it is open.
  const [asked, setAsked] = useState<{ action: "cancel" | "delete"; jobs: readonly Job[] } | null>(null);
  const running = selected.filter(canCancel);
  const deletable = selected.filter(canDelete);
  const close = () => setAsked(null);

  function handleCancel(jobs: readonly Job[]) {
    close();
    const stillRunning = new Set(idsOf(running));
    many.cancel(idsOf(jobs).filter((id) => stillRunning.has(id)));
  }
  function handleDelete(jobs: readonly Job[]) {
    many.deleteAll(idsOf(jobs));
    onClear();
  }
  return (
    <SelectionToolbar label="Selected jobs" count={`${formatCount(selected.length)} selected`} onClear={onClear}>
      <Act
        icon={Download}
        label="Download"
        jobs={selected.filter((job) => job.download_url !== null)}
        isBusy={many.isDownloading}
        onAct={many.download}
      />
      <Act
        icon={RotateCcw}
        label="Rerun"
        jobs={selected.filter(canRerun)}
        isBusy={many.isRerunning}
        onAct={many.rerun}
      />
      <Act
        icon={CircleStop}
        label="Cancel"
        jobs={running}
        isBusy={many.isCancelling}
        onAct={() => setAsked({ action: "cancel", jobs: running })}
      />
      <Act
        icon={Trash2}
        label="Delete"
        jobs={deletable}
        isBusy={many.isDeleting}
        onAct={() => setAsked({ action: "delete", jobs: deletable })}
      />
      {asked?.action === "cancel" && (
        <ConfirmDialog
          isOpen
          title={asked.jobs.length === 1 ? "Cancel this job?" : `Cancel ${formatCount(asked.jobs.length)} jobs?`}
          text="Processing stops immediately. You can rerun cancelled jobs later."
          confirmLabel={asked.jobs.length === 1 ? "Cancel job" : "Cancel jobs"}
          cancelLabel="Keep running"
          onConfirm={() => handleCancel(asked.jobs)}
          onClose={close}
        />
      )}
      {asked?.action === "delete" && (
        <DeleteJobsDialog jobs={asked.jobs} isOpen onConfirm={() => handleDelete(asked.jobs)} onClose={close} />
      )}
    </SelectionToolbar>
  );
}

function Act({
  icon,
  label,
  jobs,
  isBusy,
  onAct,
}: {
  icon: LucideIcon;
  label: string;
  jobs: readonly Job[];
  isBusy: boolean;
  onAct: (ids: string[]) => void;
}) {
  if (jobs.length === 0) return null;
  return (
    <Button
      look="quiet"
      icon={icon}
      isBusy={isBusy}
      className="max-desk:px-2"
      onClick={onSingleClick(() => onAct(idsOf(jobs)))}
    >
      <span>
        <span className="max-desk:sr-only">{label} </span>
        {formatCount(jobs.length)}
      </span>
    </Button>
  );
}

function idsOf(jobs: readonly Job[]): string[] {
  return jobs.map((job) => job.id);
}
