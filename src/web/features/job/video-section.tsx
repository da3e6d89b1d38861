import { memo } from "react";
import type { Job, JobOutput, JobVideo } from "#contract/jobs.ts";
import { countWords, formatCount } from "../../jobs/count-words.ts";
import { statusLook } from "../../jobs/status-look.ts";
import { SourcePicture } from "../../sources/source-picture.tsx";
import { useSource } from "../../sources/use-library.ts";
import { classNames } from "../../ui/class-names.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { tooltipWhenCut } from "../../ui/tooltip.ts";
import { filesOf } from "./file-counts.ts";
import { OutputGrid } from "./output-grid.tsx";
import { shownOutputs } from "./shown-outputs.ts";

type VideoSectionProps = {
  video: JobVideo;
  outputs: readonly JobOutput[];
  variants: number;
  segmentation: Job["segmentation_type"];
  segmentSeconds: number;
  mostAttempts: number;
  onPlay: (output: JobOutput) => void;
};

/** One video of the job: its state, why it failed, and its files. */
export const VideoSection = memo(function VideoSection(props: VideoSectionProps) {
  const { video, outputs, onPlay } = props;
  const shown = shownOutputs(video, outputs);
  const { name, file } = useSource(video.link, video.name);
  return (
    <article
      aria-label={name}
      // Sections out of sight cost nothing to draw, however many there are.
      className="border-t border-line px-6 py-3 [contain-intrinsic-size:auto_53px] [content-visibility:auto] max-desk:px-4"
    >
      <header className="flex min-h-7 items-center gap-x-3 gap-y-0.5 max-desk:flex-wrap">
        <span className="tnum min-w-4 text-ink-3">{video.position + 1}</span>
        {file && <SourcePicture file={file} />}
        <h2
          className={classNames(
            "raw min-w-0 flex-1 truncate text-13 font-medium",
            // On phones its line has room for the number and the picture besides.
            file ? "max-desk:basis-[calc(100%-63px)]" : "max-desk:basis-[calc(100%-28px)]",
          )}
          {...tooltipWhenCut(name)}
        >
          {name}
        </h2>
        <VideoState {...props} />
      </header>
      {video.status === "Failed" && video.error_message && (
        <div className="mt-1 ml-7">
          <ErrorBox text={video.error_message} />
        </div>
      )}
      {shown.length > 0 && <OutputGrid outputs={shown} onPlay={onPlay} />}
    </article>
  );
});

function VideoState({ video, outputs, variants, segmentation, segmentSeconds, mostAttempts }: VideoSectionProps) {
  const done = outputs.filter((output) => output.status === "Completed").length;
  const settings = { variants_per_video: variants, segmentation_type: segmentation, segment_duration: segmentSeconds };
  const { files, isExact } = filesOf(settings, video, outputs);
  const isProcessing = video.status === "Processing";
  const attempt = `Attempt ${video.attempts} of ${mostAttempts}`;
  const notes = [isProcessing && video.stage, isProcessing && video.attempts > 1 && attempt].filter(Boolean);
  return (
    <div className="flex items-center gap-3 max-desk:ml-7 max-desk:flex-1 max-desk:flex-wrap">
      <span className="text-12 text-ink-3 max-desk:order-1">{notes.join(" · ")}</span>
      <span className="w-26 max-desk:w-auto">
        <StatusBadge {...statusLook(video.status)} label={video.status} />
      </span>
      <span className="tnum w-[92px] text-right text-12 text-ink-3 max-desk:order-2 max-desk:ml-auto">
        {video.status === "Failed" && video.attempts > 1
          ? attempt
          : `${formatCount(done)} of ${isExact ? "" : "about "}${countWords(files, "file")}`}
      </span>
    </div>
  );
}
