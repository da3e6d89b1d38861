import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useMemo, useRef, type ReactNode } from "react";
import { type Job, type JobOutput, jobTitle, type JobVideo, type VideoStatus } from "#contract/jobs/jobs.ts";
import { hasTranscript, settingsOfVideo } from "#contract/jobs/video-settings.ts";
import { paths } from "../../../app/routing/paths.ts";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { Select } from "../../../ui/menus/select.tsx";
import { useSteadySlots } from "../../../ui/page/use-steady-slots.ts";
import { WindowList } from "../../../ui/page/window-list.tsx";
import { filesOf } from "../outputs/file-counts.ts";
import { PictureSize } from "../outputs/output-grid.tsx";
import type { OutputsByVideo } from "../outputs/outputs-by-video.ts";
import { useRetryNow } from "./use-retry-now.ts";
import { countFinished, countStates, readShownState } from "./video-groups.ts";
import { VideoSection } from "./video-section.tsx";

const ALL = "all" as const;
const NO_OUTPUTS: readonly JobOutput[] = [];
/** A page of them is drawn without a long task. */
const FEW_VIDEOS = 20;
const NO_VIDEOS: readonly JobVideo[] = [];

/** Without files. */
const ROW_PX = 53;
const PHONE_ROW_PX = 93;

/** Draws the videos in view. A video that leaves the filter does not move the one under the pointer. */
export function VideoList({
  job,
  videos,
  outputs,
  onPlay,
}: {
  job: Job;
  videos: readonly JobVideo[];
  outputs: OutputsByVideo;
  onPlay: (output: JobOutput) => void;
}) {
  const [shownState, showState] = useShownState(job.id);
  const shownVideos = useMemo(
    () => (shownState ? videos.filter((video) => video.status === shownState) : videos),
    [shownState, videos],
  );
  // Many are drawn after the rest of the page, in steps that can be interrupted.
  const drawnVideos = useDeferredValue(shownVideos, shownVideos.length > FEW_VIDEOS ? NO_VIDEOS : shownVideos);
  const { retry } = useRetryNow();
  const retryVideo = useCallback((videoId: string) => retry({ jobId: job.id, videoId }), [retry, job.id]);
  const mayRetry = job.status !== "Cancelled" && job.status !== "Cancelling";
  const areSamplesAbove = job.status === "Processing" && (job.proof_state === "making" || job.awaiting_approval);
  return (
    <>
      <Toolbar videos={videos} shown={shownState} onShow={showState} hasFiles={job.folder_link !== null} />
      {shownVideos.length === 0 && (
        <p className="border-t border-line px-6 py-6 text-center text-12 text-ink-3">No videos have this status.</p>
      )}
      {/* Keeps what follows on a phone below the screen. */}
      {drawnVideos === NO_VIDEOS && shownVideos.length > 0 && <div className="h-dvh" />}
      <SteadyList key={shownState} videos={drawnVideos}>
        {(video) => (
          <VideoSection
            jobName={jobTitle(job)}
            video={video}
            outputs={outputs[video.id] ?? NO_OUTPUTS}
            areSamplesAbove={areSamplesAbove}
            row={job.rows?.[video.position] ?? null}
            hasTranscript={hasTranscript(settingsOfVideo(job, job.rows?.[video.position]?.settings ?? null))}
            {...filesOf(job, video, outputs[video.id] ?? NO_OUTPUTS)}
            maxAttempts={job.max_retries + 1}
            onPlay={onPlay}
            onRetry={mayRetry ? retryVideo : null}
          />
        )}
      </SteadyList>
    </>
  );
}

function SteadyList({ videos, children }: { videos: readonly JobVideo[]; children: (video: JobVideo) => ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const { rows, holes } = useSteadySlots(list, videos);
  return (
    <WindowList
      list={list}
      label="Videos"
      className=""
      items={rows}
      holes={holes}
      rowPx={ROW_PX}
      phoneRowPx={PHONE_ROW_PX}
    >
      {children}
    </WindowList>
  );
}

/** Keeps the filter in the URL; null shows all. */
function useShownState(jobId: string): [VideoStatus | null, (state: VideoStatus | null) => void] {
  const shown = readShownState(useSearch({ strict: false }));
  const navigate = useNavigate();
  function show(state: VideoStatus | null) {
    const search = state ? { state: state.toLowerCase() } : {};
    void navigate({ to: paths.job, params: { jobId }, search, replace: true, resetScroll: false });
  }
  return [shown, show];
}

function Toolbar({
  videos,
  shown,
  hasFiles,
  onShow,
}: {
  videos: readonly JobVideo[];
  shown: VideoStatus | null;
  hasFiles: boolean;
  onShow: (state: VideoStatus | null) => void;
}) {
  // Progress of the job alone counts nothing again.
  const { counts, finished } = useMemo(
    () => ({ counts: countStates(videos), finished: countFinished(videos) }),
    [videos],
  );
  const options: { value: VideoStatus | typeof ALL; label: string }[] = [
    { value: ALL, label: `All videos (${formatCount(videos.length)})` },
    ...counts.map(({ state, count }) => ({ value: state, label: `${state} (${formatCount(count)})` })),
    // A selected status stays even without videos.
    ...(shown && !counts.some(({ state }) => state === shown) ? [{ value: shown, label: `${shown} (0)` }] : []),
  ];
  const cancelled = counts.find(({ state }) => state === "Cancelled")?.count;
  if (videos.length < 2 && !hasFiles) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2 px-6 pb-3 max-desk:px-4">
      <p className="tnum flex-1 text-12 text-ink-3 max-desk:basis-full">
        {formatCount(finished)} of {pluralize(videos.length, "video")} finished
        {cancelled !== undefined && `, ${formatCount(cancelled)} cancelled`}
      </p>
      {hasFiles && <PictureSize />}
      {videos.length > 1 && (
        <Select<VideoStatus | typeof ALL>
          label="Status"
          className="w-44 max-desk:w-auto max-desk:flex-1"
          value={shown ?? ALL}
          options={options}
          onChange={(value) => onShow(value === ALL ? null : value)}
        />
      )}
    </div>
  );
}
