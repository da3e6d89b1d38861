import { memo, useMemo } from "react";
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { paths } from "../../../app/routing/paths.ts";
import { OwnSettings } from "../../../jobs/row/own-settings.tsx";
import { pluralize, formatCount } from "../../../jobs/row/pluralize.ts";
import { statusLook } from "../../../jobs/status/status-look.ts";
import { SourcePicture } from "../../../sources/source-picture.tsx";
import { useSource } from "../../../sources/use-library.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { StatusBadge } from "../../../ui/states/status-badge.tsx";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { FailureDetails } from "../failure-details.tsx";
import type { FailureSubject } from "../failure-report.ts";
import { OutputGrid } from "../outputs/output-grid.tsx";
import { shownOutputs } from "../outputs/outputs-by-video.ts";
import { isWaiting } from "./video-groups.ts";

type VideoSectionProps = {
  jobName: string;
  video: JobVideo;
  /** The video's row in a table, or null. */
  row: JobRow | null;
  outputs: readonly JobOutput[];
  /** True while the samples are shown for approval, above the videos. */
  areSamplesAbove: boolean;
  /** Planned or, until then, estimated. */
  files: number;
  isExact: boolean;
  maxAttempts: number;
  hasTranscript: boolean;
  onPlay: (output: JobOutput) => void;
  /** Null if nothing can be retried. */
  onRetry: ((videoId: string) => void) | null;
};

export const VideoSection = memo(function VideoSection(props: VideoSectionProps) {
  const { video, row, outputs, areSamplesAbove, onPlay } = props;
  const files = shownOutputs(video, outputs);
  const shown = areSamplesAbove ? files.filter(({ status }) => status !== "Completed") : files;
  const { name, file } = useSource(video.link, video.name);
  const subject = useFailureSubject(props.jobName, video);
  return (
    <article aria-label={name} className="border-t border-line px-6 py-3 max-desk:px-4">
      <header className="flex min-h-7 items-center gap-x-3 gap-y-0.5 max-desk:flex-wrap">
        <span className="tnum min-w-4 text-ink-3">{video.position + 1}</span>
        {file && <SourcePicture file={file} />}
        <h2
          className="raw min-w-0 flex-1 truncate text-13 font-medium max-desk:basis-[calc(100%-72px)]"
          {...tooltipWhenCut(name)}
        >
          {name}
        </h2>
        <VideoState {...props} />
      </header>
      {row && (
        <div className="ml-7 flex flex-wrap">
          <OwnSettings row={row} name={name} />
        </div>
      )}
      <VideoFailure video={video} subject={subject} onRetry={props.onRetry} />
      {shown.length > 0 && (
        <div className="mt-2 mb-1 ml-7 max-desk:ml-0">
          <OutputGrid outputs={shown} subject={subject} onPlay={onPlay} />
        </div>
      )}
    </article>
  );
});

/** Reasons for waiting appear above the videos. */
function VideoFailure({
  video,
  subject,
  onRetry,
}: Pick<VideoSectionProps, "video" | "onRetry"> & { subject: FailureSubject }) {
  const { status, error_message: message } = video;
  if (status !== "Failed" || !message) return null;
  return (
    <FailureDetails subject={subject} row={video} output={null}>
      {(toggle, panel) => (
        <div className="mt-1 ml-7 grid gap-2">
          <div className="flex items-start gap-2 max-desk:flex-wrap max-desk:justify-end">
            <div className="min-w-0 flex-1 max-desk:basis-full">
              <ErrorBox text={message} />
            </div>
            {toggle}
            <RetryButton label="Retry" video={video} onRetry={onRetry} />
          </div>
          {panel}
        </div>
      )}
    </FailureDetails>
  );
}

/** Keeps the object's identity: a new one rerenders the output cards. */
function useFailureSubject(jobName: string, { id, job_id: jobId, position, name }: JobVideo): FailureSubject {
  return useMemo(
    () => ({ jobId, jobName, videoId: id, position, videoName: name }),
    [jobId, jobName, id, position, name],
  );
}

function RetryButton({
  label,
  video,
  onRetry,
}: Pick<VideoSectionProps, "video" | "onRetry"> & { label: "Retry" | "Try now" }) {
  if (!onRetry) return null;
  return (
    <Button
      look="quiet"
      size="sm"
      className="max-desk:order-1"
      aria-label={`${label}: video ${video.position + 1}`}
      onClick={onSingleClick(() => onRetry(video.id))}
    >
      {label}
    </Button>
  );
}

function VideoState(props: VideoSectionProps) {
  const { video, outputs, files, isExact, maxAttempts, hasTranscript, onRetry } = props;
  const done = outputs.filter((output) => output.status === "Completed").length;
  const isProcessing = video.status === "Processing";
  const attempt = `Attempt ${video.attempts} of ${maxAttempts}`;
  const notes = [isProcessing && video.stage, isProcessing && video.attempts > 1 && attempt].filter(Boolean);
  return (
    <div className="flex items-center gap-3 max-desk:ml-7 max-desk:flex-1 max-desk:flex-wrap">
      <span className="text-12 text-ink-3 max-desk:order-1">{notes.join(" · ")}</span>
      {hasTranscript && (
        <LinkButton
          look="quiet"
          size="sm"
          to={paths.transcripts}
          search={{ video: video.id }}
          aria-label={`Transcript: video ${video.position + 1}`}
        >
          Transcript
        </LinkButton>
      )}
      {isWaiting(video) && <RetryButton label="Try now" video={video} onRetry={onRetry} />}
      <span className="w-26 max-desk:w-auto">
        <StatusBadge {...statusLook(video.status)} label={video.status} />
      </span>
      <span className="tnum w-[92px] text-right text-12 text-ink-3 max-desk:order-2 max-desk:ml-auto">
        {video.status === "Failed" && video.attempts > 1
          ? attempt
          : `${formatCount(done)} of ${isExact ? "" : "about "}${pluralize(files, "file")}`}
      </span>
    </div>
  );
}
