import { CircleStop, Download, Ellipsis, FolderOpen, RotateCcw } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { type Job, jobTitle } from "#contract/jobs.ts";
import { paths } from "../../app/paths.ts";
import { CancelJobDialog } from "../../jobs/cancel-job-dialog.tsx";
import { DownloadZipButton } from "../../jobs/download-zip-button.tsx";
import { hasFolder, OpenFolderLink } from "../../jobs/open-folder-link.tsx";
import { canCancel, useCancelJob } from "../../jobs/use-cancel-job.ts";
import { useDownloadZip } from "../../jobs/use-download-zip.ts";
import { canRerun, useRerunJob } from "../../jobs/use-rerun-job.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { onSingleClick } from "../../ui/on-single-click.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";

/** What can be done with a job of the history: buttons with fixed places, a menu on phones. */
export function JobActions({ job }: { job: Job }) {
  const cancel = useCancelJob();
  const { rerun, isRerunning } = useRerunJob();
  const isPhone = useIsPhone();
  const [isAsking, setIsAsking] = useState(false);
  // Once opened it stays mounted, so that it can close with a movement.
  const [wasAsked, setWasAsked] = useState(false);

  function handleCancel() {
    setWasAsked(true);
    setIsAsking(true);
  }
  const handleRerun = () => rerun(job.id);
  return (
    <>
      {isPhone ? (
        <ActionMenu job={job} isRerunning={isRerunning} onCancel={handleCancel} onRerun={handleRerun} />
      ) : (
        <ActionButtons job={job} isRerunning={isRerunning} onCancel={handleCancel} onRerun={handleRerun} />
      )}
      {wasAsked && (
        <CancelJobDialog
          job={job}
          isOpen={isAsking}
          onConfirm={() => cancel(job.id)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

type ActionProps = { job: Job; isRerunning: boolean; onCancel: () => void; onRerun: () => void };

function ActionButtons({ job, isRerunning, onCancel, onRerun }: ActionProps) {
  return (
    <>
      <Slot>{hasFolder(job) && <OpenFolderLink jobId={job.id} />}</Slot>
      <Slot>
        {job.download_url && <DownloadZipButton jobId={job.id} />}
        {canCancel(job) && <IconButton icon={CircleStop} label="Cancel" onClick={onCancel} />}
      </Slot>
      <IconButton
        icon={RotateCcw}
        label="Rerun"
        disabled={!canRerun(job)}
        isBusy={isRerunning}
        onClick={onSingleClick(onRerun)}
      />
    </>
  );
}

function Slot({ children }: { children: ReactNode }) {
  return <span className="flex w-7 shrink-0">{children}</span>;
}

function ActionMenu({ job, isRerunning, onCancel, onRerun }: ActionProps) {
  const { download } = useDownloadZip();
  const navigate = useNavigate();
  const openFolder = () => void navigate({ to: paths.job, params: { jobId: job.id } });
  const items: (MenuItem | false)[] = [
    hasFolder(job) && { label: "Open output folder", icon: FolderOpen, onSelect: openFolder },
    job.download_url !== null && { label: "Download zip", icon: Download, onSelect: () => download(job.id) },
    canCancel(job) && { label: "Cancel", icon: CircleStop, onSelect: onCancel },
    { label: "Rerun", icon: RotateCcw, isDisabled: !canRerun(job) || isRerunning, onSelect: onRerun },
  ];
  return <Menu label={`Actions for ${jobTitle(job)}`} icon={Ellipsis} items={items.filter((item) => item !== false)} />;
}
