import { Link, useNavigate } from "@tanstack/react-router";
import {
  ArrowLeft,
  CircleStop,
  CopyPlus,
  Download,
  Ellipsis,
  FileSpreadsheet,
  ListChecks,
  RotateCcw,
  Send,
  Subtitles,
  Trash2,
} from "lucide-react";
import { Suspense, useState } from "react";
import { isFinal, type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { hasTranscript } from "#contract/jobs/video-settings.ts";
import { paths } from "../../../app/routing/paths.ts";
import { CancelJobDialog } from "../../../jobs/actions/cancel-job-dialog.tsx";
import { DeleteJobsDialog } from "../../../jobs/actions/delete-jobs-dialog.tsx";
import { JobStatusBadge } from "../../../jobs/status/job-status-badge.tsx";
import { canCancel } from "../../../jobs/actions/can-cancel.ts";
import { useCancelJob } from "../../../jobs/actions/use-cancel-job.ts";
import { canDelete, useDeleteJobs } from "../../../jobs/actions/use-delete-jobs.ts";
import { useOrderItems } from "../../../jobs/order/order-items.ts";
import { useDownloadManifest, useDownloadZip } from "../../../jobs/actions/use-download-zip.ts";
import { canRerun, useRerunJob } from "../../../jobs/rerun/use-rerun-job.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";

const DeliverDialog = lazyPart(() => import("../deliveries/deliver-dialog.tsx"));

export function JobHead({ job }: { job: Job }) {
  // Samples have their own actions, which leaves only the menu here.
  const isDeciding = job.status === "Processing" && job.awaiting_approval;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 gap-y-0.5 px-6 py-4 max-desk:px-4">
      <Link
        to={paths.jobHistory}
        className="inline-flex items-center gap-1.5 justify-self-start rounded-1 text-12 text-ink-3 transition-colors hover:text-ink max-desk:-my-2 max-desk:min-h-11"
      >
        <Icon icon={ArrowLeft} size={14} />
        Back to Job History
      </Link>
      <div className="col-span-full flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h1
          dir="auto"
          className="line-clamp-2 text-left text-20 wrap-anywhere max-desk:line-clamp-4"
          {...tooltipWhenCut(jobTitle(job))}
        >
          {jobTitle(job)}
        </h1>
        <JobStatusBadge job={job} isInline />
      </div>
      {/* Beside the link, where they take no room from the title; below it where they do not fit. */}
      <div
        className={classNames(
          "wide:col-start-2 wide:row-start-1",
          isDeciding ? "col-start-2 row-start-1" : "max-wide:col-span-full max-wide:pt-2",
        )}
      >
        <HeadActions job={job} isDeciding={isDeciding} />
      </div>
    </div>
  );
}

function HeadActions({ job, isDeciding }: { job: Job; isDeciding: boolean }) {
  const cancel = useCancelJob();
  const navigate = useNavigate();
  const { rerun, isRerunning } = useRerunJob();
  const { download, isFetchingLink } = useDownloadZip();
  const downloadManifest = useDownloadManifest();
  const { deleteJobsAsync } = useDeleteJobs();
  const order = useOrderItems(job);
  const isPhone = useIsPhone();
  const [dialog, setDialog] = useState<"cancel" | "delete" | "deliver" | null>(null);
  const close = () => setDialog(null);

  function handleRerun() {
    rerun(job.id, { onSuccess: (newJob) => void navigate({ to: paths.job, params: { jobId: newJob.id } }) });
  }
  async function handleDelete() {
    // Not in the mutation's callback: the live change may unmount this page before the response.
    const result = await deleteJobsAsync([job.id]).catch(() => null);
    if (result?.deleted.includes(job.id)) await navigate({ to: paths.jobHistory });
  }
  const manifests = (["csv", "json"] as const).map((format) => ({
    label: `Download manifest (${format.toUpperCase()})`,
    icon: FileSpreadsheet,
    isDisabled: job.manifest_url === null,
    onSelect: () => downloadManifest(job.id, format),
  }));
  const mayHaveZip = job.download_url !== null || (job.download_enabled && !isFinal(job.status) && !isDeciding);
  const mayReview = job.folder_link !== null && job.files_deleted_at == null && !isDeciding;
  const duplicateItem = {
    label: "Duplicate",
    icon: CopyPlus,
    onSelect: () => void navigate({ to: paths.createJob, search: { from: job.id } }),
  };
  const cancelItem = { label: "Cancel", icon: CircleStop, onSelect: () => setDialog("cancel") };
  return (
    <div className="flex items-center gap-2 max-desk:flex-wrap max-desk:[&>:is(a,button)]:flex-1 max-desk:[&>:is(a,button)>.lucide]:hidden">
      {canCancel(job) && !isDeciding && (
        <Button icon={CircleStop} onClick={() => setDialog("cancel")}>
          Cancel
        </Button>
      )}
      {!isDeciding && (
        <Button icon={RotateCcw} disabled={!canRerun(job)} isBusy={isRerunning} onClick={onSingleClick(handleRerun)}>
          Rerun
        </Button>
      )}
      {!isDeciding && !isPhone && (
        <LinkButton icon={CopyPlus} to={paths.createJob} search={{ from: job.id }}>
          Duplicate
        </LinkButton>
      )}
      {mayReview && (
        <LinkButton
          look={isFinal(job.status) && job.download_url === null ? "primary" : "neutral"}
          icon={ListChecks}
          data-review
          aria-keyshortcuts="r"
          to={paths.review}
          params={{ jobId: job.id }}
        >
          Review
        </LinkButton>
      )}
      {mayHaveZip && (
        <Button
          look={job.download_url === null ? "neutral" : "primary"}
          icon={Download}
          disabled={job.download_url === null}
          isBusy={isFetchingLink}
          onClick={() => download(job.id)}
        >
          Download zip
        </Button>
      )}
      <span>
        <Menu
          label="More actions"
          icon={Ellipsis}
          items={[
            ...order,
            ...(isDeciding ? [cancelItem] : []),
            ...(isDeciding || isPhone ? [duplicateItem] : []),
            ...manifests,
            ...(hasTranscript(job)
              ? [
                  {
                    label: "Transcripts",
                    icon: Subtitles,
                    onSelect: () => void navigate({ to: paths.transcripts, search: { job: job.id } }),
                  },
                ]
              : []),
            {
              label: "Deliver files",
              icon: Send,
              isDisabled: !isFinal(job.status) || job.folder_link === null || job.files_deleted_at != null,
              onSelect: () => setDialog("deliver"),
            },
            { label: "Delete", icon: Trash2, isDisabled: !canDelete(job), onSelect: () => setDialog("delete") },
          ]}
        />
      </span>
      {dialog === "cancel" && <CancelJobDialog job={job} isOpen onConfirm={() => cancel(job.id)} onClose={close} />}
      {dialog === "deliver" && (
        <Suspense>
          <DeliverDialog job={job} onClose={close} />
        </Suspense>
      )}
      {dialog === "delete" && (
        <DeleteJobsDialog jobs={[job]} isOpen onConfirm={() => void handleDelete()} onClose={close} />
      )}
    </div>
  );
}
