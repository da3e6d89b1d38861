import { CircleStop, CopyPlus, Download, Ellipsis, FolderOpen, RotateCcw, SquareCheck, Trash2 } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
import { CancelJobDialog } from "../../jobs/actions/cancel-job-dialog.tsx";
import { DeleteJobsDialog } from "../../jobs/actions/delete-jobs-dialog.tsx";
import { DownloadZipButton } from "../../jobs/actions/download-zip-button.tsx";
import { hasFolder, OpenFolderLink } from "../../jobs/actions/open-folder-link.tsx";
import { canCancel } from "../../jobs/actions/can-cancel.ts";
import { useCancelJob } from "../../jobs/actions/use-cancel-job.ts";
import { canDelete, useDeleteJobs } from "../../jobs/actions/use-delete-jobs.ts";
import { useOrderItems } from "../../jobs/order/order-items.ts";
import { useDownloadZip } from "../../jobs/actions/use-download-zip.ts";
import { canRerun, useRerunJob } from "../../jobs/rerun/use-rerun-job.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/menus/menu.tsx";
import { onSingleClick } from "../../ui/buttons/on-single-click.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";

/** Mount on first use, then stay mounted to animate out. */
type DialogName = "cancel" | "delete";

/** A menu only on phones. */
export function JobActions({ job, onSelect }: { job: Job; onSelect: () => void }) {
  const cancel = useCancelJob();
  const { deleteJobs } = useDeleteJobs();
  const { rerun, isRerunning } = useRerunJob();
  const isPhone = useIsPhone();
  const [openDialog, setOpenDialog] = useState<DialogName | null>(null);
  const [mountedDialog, setMountedDialog] = useState<DialogName | null>(null);

  function open(name: DialogName) {
    setOpenDialog(name);
    setMountedDialog(name);
  }
  const actions = { job, isRerunning, onOpenDialog: open, onRerun: () => rerun(job.id) };
  const close = () => setOpenDialog(null);
  return (
    <>
      {isPhone ? <PhoneMenu {...actions} onSelect={onSelect} /> : <ActionButtons {...actions} />}
      {mountedDialog === "cancel" && (
        <CancelJobDialog job={job} isOpen={openDialog === "cancel"} onConfirm={() => cancel(job.id)} onClose={close} />
      )}
      {mountedDialog === "delete" && (
        <DeleteJobsDialog
          jobs={[job]}
          isOpen={openDialog === "delete"}
          onConfirm={() => deleteJobs([job.id])}
          onClose={close}
        />
      )}
    </>
  );
}

type ActionProps = { job: Job; isRerunning: boolean; onOpenDialog: (name: DialogName) => void; onRerun: () => void };

function ActionButtons({ job, isRerunning, onOpenDialog, onRerun }: ActionProps) {
  const more = useMoreItems(job, onOpenDialog);
  return (
    <>
      <Slot>{hasFolder(job) && <OpenFolderLink jobId={job.id} />}</Slot>
      <Slot>
        {job.download_url && <DownloadZipButton jobId={job.id} />}
        {canCancel(job) && <IconButton icon={CircleStop} label="Cancel" onClick={() => onOpenDialog("cancel")} />}
      </Slot>
      <IconButton
        icon={RotateCcw}
        label="Rerun"
        disabled={!canRerun(job)}
        isBusy={isRerunning}
        onClick={onSingleClick(onRerun)}
      />
      <Menu label={`More actions for ${jobTitle(job)}`} icon={Ellipsis} items={more} />
    </>
  );
}

function Slot({ children }: { children: ReactNode }) {
  return <span className="flex w-7 shrink-0">{children}</span>;
}

function PhoneMenu({ job, isRerunning, onOpenDialog, onRerun, onSelect }: ActionProps & { onSelect: () => void }) {
  const { download } = useDownloadZip();
  const navigate = useNavigate();
  const more = useMoreItems(job, onOpenDialog);
  const openFolder = () => void navigate({ to: paths.job, params: { jobId: job.id } });
  const items: (MenuItem | false)[] = [
    hasFolder(job) && { label: "Open output folder", icon: FolderOpen, onSelect: openFolder },
    job.download_url !== null && { label: "Download zip", icon: Download, onSelect: () => download(job.id) },
    canCancel(job) && { label: "Cancel", icon: CircleStop, onSelect: () => onOpenDialog("cancel") },
    { label: "Rerun", icon: RotateCcw, isDisabled: !canRerun(job) || isRerunning, onSelect: onRerun },
    { label: "Select", icon: SquareCheck, onSelect },
  ];
  return (
    <Menu
      label={`Actions for ${jobTitle(job)}`}
      icon={Ellipsis}
      items={[...items.filter((item) => item !== false), ...more]}
    />
  );
}

function useMoreItems(job: Job, onOpenDialog: (name: DialogName) => void): MenuItem[] {
  const navigate = useNavigate();
  const order = useOrderItems(job);
  return [
    ...order,
    {
      label: "Duplicate",
      icon: CopyPlus,
      onSelect: () => void navigate({ to: paths.createJob, search: { from: job.id } }),
    },
    { label: "Delete", icon: Trash2, isDisabled: !canDelete(job), onSelect: () => onOpenDialog("delete") },
  ];
}
