import { memo, type ChangeEvent, type ReactNode } from "react";
import { type AudioMode, type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { ElapsedTime } from "../../../jobs/time/elapsed-time.tsx";
import { hasProminentDetail, JobDetail } from "../../../jobs/row/job-detail.tsx";
import { formatPercent, shownPercent } from "../../../jobs/status/job-progress.ts";
import { JobRow, MetaLine } from "../../../jobs/row/job-row.tsx";
import { describeKeptFiles } from "../../../jobs/row/kept-files.ts";
import { isOnHold } from "../../../jobs/order/order-in-queue.ts";
import { describeRetries } from "../../../jobs/actions/describe-retries.ts";
import { describeTimeLeft } from "../../../jobs/time/time-words.ts";
import { asCancelling } from "../../../jobs/actions/use-cancel-job.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { JobActions } from "../job-actions.tsx";

const ERROR_CHARACTERS = 200;
const AUDIO_MODES = { replace: "Replace audio", mix: "Mix audio" } as const satisfies Record<AudioMode, string>;

export const historyColumns =
  "desk:grid-cols-[16px_minmax(0,1fr)_112px_minmax(0,220px)_100px_118px] wide:grid-cols-[16px_minmax(0,1.4fr)_120px_minmax(0,1fr)_64px_100px_118px]";

type HistoryRowProps = {
  job: Job;
  /** True while this tab's cancel request is in flight. */
  isCancelling: boolean;
  isSelected: boolean;
  isSelecting: boolean;
  onToggle: (id: string, isRange: boolean) => void;
};

export const HistoryRow = memo(function HistoryRow(props: HistoryRowProps) {
  const { isCancelling, isSelected, isSelecting, onToggle } = props;
  const job = isCancelling ? asCancelling(props.job) : props.job;

  function handleCheck({ nativeEvent }: ChangeEvent) {
    // React reports checkbox changes as clicks, also from the keyboard.
    onToggle(job.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  }
  return (
    <JobRow
      job={job}
      className={historyColumns}
      isSelected={isSelected}
      isSelecting={isSelecting}
      check={<Checkbox label={`Select ${jobTitle(job)}`} isLabelHidden checked={isSelected} onChange={handleCheck} />}
      meta={<MetaLine parts={summarize(job)} />}
      detail={
        <JobDetail job={job} maxCharacters={ERROR_CHARACTERS}>
          <QuietProgress job={job} />
        </JobDetail>
      }
      elapsed={<ElapsedTime job={job} />}
      quietProgress={formatPercent(job.progress)}
      actions={<JobActions job={job} onSelect={() => onToggle(job.id, false)} />}
    />
  );
});

function QuietProgress({ job }: { job: Job }) {
  const percent = formatPercent(job.progress);
  return job.status === "Cancelled" && job.error_message ? `${percent} · ${job.error_message}` : percent;
}

function Loud({ text }: { text: string }) {
  return <b className="font-medium text-ink-2">{text}</b>;
}

function summarize(job: Job): ReactNode[] {
  const parts: ReactNode[] = [pluralize(job.total_videos, "video"), pluralize(job.variants_per_video, "variant")];
  if (job.audio_enabled) parts.push(AUDIO_MODES[job.audio_mode]);
  // Otherwise the detail shows the percentage.
  if (hasProminentDetail(job)) parts.push(formatPercent(shownPercent(job)));
  const timeLeft = describeTimeLeft(job);
  if (timeLeft) parts.push(timeLeft);
  const retries = describeRetries(job);
  if (retries) parts.push(<Loud text={retries} />);
  // A queued job's badge shows the hold.
  if (job.status === "Processing" && isOnHold(job)) parts.push(<Loud text="On hold" />);
  const files = describeKeptFiles(job, Date.now());
  if (files) parts.push(job.files_deleted_at ? files : <Loud text={files} />);
  // Last, as it says that nothing was done.
  if (!job.audio_enabled) parts.push(`${AUDIO_MODES[job.audio_mode]} (off)`);
  return parts;
}

/** Wide screens only; `check` comes first. */
export function HistoryHead({ check }: { check?: ReactNode }) {
  return (
    <div
      className={`mx-6 grid items-center gap-x-4 border-b border-line pb-1.5 text-11 font-medium text-ink-3 max-desk:hidden ${historyColumns}`}
    >
      <span className="flex">{check}</span>
      <span>Job</span>
      <span>Status</span>
      <span>Progress</span>
      <span className="text-right max-wide:hidden">Elapsed</span>
      <span className="text-right">Created</span>
    </div>
  );
}
