import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, CircleStop, Link as LinkIcon, Pencil, Play, Share2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { GUEST_LIMITS, type GuestComment } from "#contract/guests/guests.ts";
import { type Job, type JobOutput, jobTitle, type JobVideo } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { createGuestLink } from "../../../api/proof.ts";
import { paths } from "../../../app/routing/paths.ts";
import { quoteName } from "../../../jobs/row/cut-text.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { formatClipLength } from "../../../ui/text/length-and-size.ts";
import type { FailureSubject } from "../failure-report.ts";
import { OutputGrid } from "../outputs/output-grid.tsx";
import type { OutputsByVideo } from "../outputs/outputs-by-video.ts";
import { ShareDialog } from "./share-dialog.tsx";
import { feedbackKey, useDecideProof, useFeedback } from "./use-proof.ts";

type PanelProps = {
  job: Job;
  videos: readonly JobVideo[];
  /** Until approval, all files are samples. */
  outputs: OutputsByVideo;
  onPlay: (output: JobOutput, atSeconds?: number) => void;
};

export default function ProofPanel({ job, videos, outputs, onPlay }: PanelProps) {
  const feedback = useFeedback(job);
  const [isSharing, setIsSharing] = useState(false);
  const isRunning = job.status === "Queued" || job.status === "Processing";
  const isOpen = isRunning && (job.proof_state === "making" || job.proof_state === "waiting");
  const comments = feedback.data?.comments ?? [];
  const links = feedback.data?.links ?? [];
  if (!isOpen && comments.length === 0 && links.length === 0) return null;
  const openShare = () => setIsSharing(true);
  const share = isOpen ? (
    <>
      <CopyLinkButton jobId={job.id} />
      <IconButton icon={Share2} label="Share" onClick={openShare} />
    </>
  ) : (
    <Button icon={Share2} onClick={openShare}>
      Share
    </Button>
  );
  return (
    <section aria-label="Samples" className="border-t border-line px-6 py-4 max-desk:px-4">
      {isOpen ? (
        <OpenProof job={job} videos={videos} outputs={outputs} onPlay={onPlay} share={share} />
      ) : (
        <div className="flex items-center gap-2">
          <h2 className="flex-1 text-14 font-semibold text-ink">Samples</h2>
          {share}
        </div>
      )}
      <GuestComments comments={comments} outputs={outputs} onPlay={onPlay} />
      {isSharing && <ShareDialog job={job} links={links} onClose={() => setIsSharing(false)} />}
    </section>
  );
}

function OpenProof({ job, videos, outputs, onPlay, share }: PanelProps & { share: ReactNode }) {
  const done = videos.flatMap(({ id }) => outputs[id]?.filter(({ status }) => status === "Completed") ?? []);
  const failed = videos.filter(({ status }) => status === "Failed");
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-60 flex-1">
          <h2 className="text-14 font-semibold text-ink">{describeSamples(job, done.length)}</h2>
          <p className="text-12 text-ink-3">
            {job.awaiting_approval
              ? "Everything else is made after you approve them."
              : "The job will wait for your approval when they are ready."}
          </p>
        </div>
        <Decisions job={job} samples={done} share={share} />
      </div>
      {failed.map(({ id, position, error_message: reason }) => (
        <div key={id} className="mt-2">
          <WarningNote text={`Video ${position + 1} could not be sampled: ${reason ?? "No reason was recorded."}`} />
        </div>
      ))}
      {done.length > 0 && (
        <div className="mt-4">
          <OutputGrid label="Finished samples" outputs={done} subject={subjectOf(job)} onPlay={onPlay} />
        </div>
      )}
    </>
  );
}

/** Finished files have no failure to report. */
function subjectOf(job: Job): FailureSubject {
  return { jobId: job.id, jobName: jobTitle(job), videoId: "", position: 0, videoName: null };
}

function describeSamples(job: Job, files: number): string {
  if (!job.awaiting_approval) return `Making ${pluralize(job.proof_count, "sample")}`;
  if (files === 0) return "No samples could be made";
  return files === 1 ? "1 sample is ready" : `${files} samples are ready`;
}

function Decisions({ job, samples, share }: { job: Job; samples: readonly JobOutput[]; share: ReactNode }) {
  const files = samples.length;
  const navigate = useNavigate();
  const { decide, deciding } = useDecideProof(job.id);
  const [isStopping, setIsStopping] = useState(false);
  if (!job.awaiting_approval) return share;
  return (
    <div className="flex flex-wrap items-center gap-2 max-desk:w-full max-desk:[&>button:not([aria-label])]:flex-1">
      <Button
        look="primary"
        icon={Check}
        isBusy={deciding === "approve"}
        onClick={onSingleClick(() => decide({ action: "approve", samples: samples.map(({ id }) => id) }))}
      >
        Approve
      </Button>
      <Button icon={Pencil} onClick={() => void navigate({ to: paths.createJob, search: { change: job.id } })}>
        Change
      </Button>
      {share}
      <Button icon={CircleStop} isBusy={deciding === "stop"} onClick={() => setIsStopping(true)}>
        Stop
      </Button>
      {isStopping && (
        <ConfirmDialog
          isOpen
          title="Stop this job?"
          text={`${quoteName(jobTitle(job))} ends now. ${files === 0 ? "It has no files." : `${pluralize(files, "sample")} ${files === 1 ? "is" : "are"} kept, and nothing else is made.`}`}
          confirmLabel="Stop job"
          cancelLabel="Keep waiting"
          onConfirm={() => {
            setIsStopping(false);
            decide({ action: "stop" });
          }}
          onClose={() => setIsStopping(false)}
        />
      )}
    </div>
  );
}

/** Creates a link with the defaults of the dialog. */
function CopyLinkButton({ jobId }: { jobId: string }) {
  const client = useQueryClient();
  const { isBusy, run } = useExclusiveAction();
  async function copyLink() {
    try {
      const { path } = await createGuestLink(jobId, GUEST_LIMITS.defaultDays, true);
      void client.invalidateQueries({ queryKey: feedbackKey(jobId) });
      await navigator.clipboard.writeText(location.origin + path!);
      const description = `Guests can comment and approve for ${GUEST_LIMITS.defaultDays} days.`;
      showToast({ title: "Guest link copied", description, variant: "success" });
    } catch (error) {
      const description =
        error instanceof CallError
          ? error.message
          : "Couldn't copy the link. Press Share to create one that you can see.";
      showToast({ title: "Error", description, variant: "destructive" });
    }
  }
  return (
    <Button icon={LinkIcon} isBusy={isBusy} onClick={onSingleClick(() => void run(copyLink))}>
      Copy guest link
    </Button>
  );
}

/** Guests' names are unverified. A comment's moment opens in the player. */
function GuestComments({
  comments,
  outputs,
  onPlay,
}: Pick<PanelProps, "outputs" | "onPlay"> & { comments: readonly GuestComment[] }) {
  if (comments.length === 0) return null;
  const samples = new Map(
    Object.values(outputs)
      .flat()
      .map((output) => [output.id, output]),
  );
  return (
    <div className="mt-4">
      <h3 className="text-12 font-medium text-ink-3">Guest comments</h3>
      <ul className="mt-2 grid max-h-80 gap-3 overflow-auto">
        {comments.map(({ id, author, message, is_approval: isApproval, created_at: createdAt, ...comment }) => (
          <li key={id} className="grid gap-0.5">
            <p className="text-12 wrap-anywhere text-ink-3">
              <b dir="auto" className="font-medium text-ink-2">
                {author}
              </b>
              {isApproval && " approved the samples"} ·{" "}
              <time dateTime={createdAt} {...tooltip(formatWholeDate(createdAt))}>
                {formatShortDate(createdAt)}
              </time>
            </p>
            <Moment {...comment} sample={samples.get(comment.output_id ?? "")} onPlay={onPlay} />
            {message !== null && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-line text-ink">
                {message}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Moment({
  at_seconds: seconds,
  sample,
  onPlay,
}: Pick<GuestComment, "at_seconds"> & { sample: JobOutput | undefined } & Pick<PanelProps, "onPlay">) {
  if (seconds === null) return null;
  const time = formatClipLength(seconds);
  if (!sample?.media_url) return <p className="tnum text-12 text-ink-3">At {time} of an earlier sample</p>;
  return (
    <div>
      <button
        type="button"
        className="tnum inline-flex items-center gap-1.5 rounded-1 text-left text-12 font-medium text-ink underline decoration-line-strong underline-offset-2 hover:decoration-current max-desk:min-h-11"
        onClick={() => onPlay(sample, seconds)}
      >
        <Icon icon={Play} size={14} className="shrink-0" />
        {sample.name} at {time}
      </button>
    </div>
  );
}
