import { Suspense, useCallback, useMemo, useState } from "react";
import { type Job, type JobOutput, jobTitle, type JobVideo } from "#contract/jobs/jobs.ts";
import { jobPageTitle } from "../../jobs/status/job-page-title.ts";
import { usePageTitle } from "../../ui/text/page-title.ts";
import { Pane, RailPane } from "../../ui/dialogs/pane.tsx";
import { JobEvents } from "./events/job-events.tsx";
import { JobFacts } from "./head/job-facts.tsx";
import { JobHead } from "./head/job-head.tsx";
import { JobNotes } from "./head/job-notes.tsx";
import { filesOf } from "./outputs/file-counts.ts";
import type { OutputsByVideo } from "./outputs/outputs-by-video.ts";
import { ReasonGroups } from "./videos/reason-groups.tsx";
import { playlistOf } from "./outputs/playlist.ts";
import { TimeBlock } from "./events/time-block.tsx";
import { useLiveParts } from "./use-live-parts.ts";
import { useRetryNow } from "./videos/use-retry-now.ts";
import { SteadyVideos } from "./videos/steady-videos.tsx";
import { useShownState, VideoFilter } from "./videos/video-filter.tsx";
import { VideoSection } from "./videos/video-section.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";

const ProofPanel = lazyPart(() => import("./proof/proof-panel.tsx"));
const LinksPanel = lazyPart(() => import("./links/links-panel.tsx"));
const DeliveryPanel = lazyPart(() => import("./deliveries/delivery-panel.tsx"));
const Compare = lazyPart(() => import("../../jobs/compare/compare.tsx"));
const OutputPlayer = lazyPart(() => import("./outputs/output-player.tsx"));

const NO_OUTPUTS: readonly JobOutput[] = [];

export function JobView({ job, videos, outputs }: { job: Job; videos: readonly JobVideo[]; outputs: OutputsByVideo }) {
  const [played, setPlayed] = useState<JobOutput | null>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [play] = useState(() => (output: JobOutput) => {
    setPlayed(output);
    setIsPlaying(true);
  });
  const [compared, setCompared] = useState<JobOutput | null>(null);
  const [shownState, showState] = useShownState(job.id);
  const { retry } = useRetryNow();
  const retryVideo = useCallback((videoId: string) => retry({ jobId: job.id, videoId }), [retry, job.id]);
  const mayRetry = job.status !== "Cancelled" && job.status !== "Cancelling";
  const shownVideos = useMemo(
    () => (shownState ? videos.filter((video) => video.status === shownState) : videos),
    [shownState, videos],
  );
  const playlist = useMemo(() => (isPlaying ? playlistOf(videos, outputs) : []), [isPlaying, videos, outputs]);
  useLiveParts(job.id);
  usePageTitle(jobPageTitle(job));
  return (
    <div className="desk:contents max-desk:flex max-desk:flex-col">
      <Pane className="max-desk:contents">
        <div className="max-desk:-order-2">
          <JobHead job={job} />
          <JobNotes job={job} videos={videos} />
          <ReasonGroups job={job} videos={videos} />
          <Suspense>
            <DeliveryPanel jobId={job.id} />
          </Suspense>
          {job.proof_state !== null && (
            <Suspense>
              <ProofPanel
                job={job}
                videos={videos}
                outputs={videos.flatMap(({ id }) => outputs[id] ?? NO_OUTPUTS)}
                onPlay={play}
              />
            </Suspense>
          )}
          {job.link_domain_id !== null && (
            <Suspense>
              <LinksPanel job={job} />
            </Suspense>
          )}
        </div>
        <div>
          <VideoFilter videos={videos} shown={shownState} onShow={showState} />
          {shownVideos.length === 0 && (
            <p className="border-t border-line px-6 py-6 text-center text-12 text-ink-3">No videos have this status.</p>
          )}
          <SteadyVideos key={shownState} videos={shownVideos}>
            {(video) => (
              <VideoSection
                jobName={jobTitle(job)}
                video={video}
                outputs={outputs[video.id] ?? NO_OUTPUTS}
                row={job.rows?.[video.position] ?? null}
                {...filesOf(job, video, outputs[video.id] ?? NO_OUTPUTS)}
                maxAttempts={job.max_retries + 1}
                onPlay={play}
                onRetry={mayRetry ? retryVideo : null}
              />
            )}
          </SteadyVideos>
        </div>
      </Pane>
      <RailPane label="Progress and settings" isBesideList className="max-desk:contents">
        <TimeBlock job={job} videos={videos} outputs={outputs} />
        <JobFacts job={job} />
        <JobEvents jobId={job.id} videos={videos} />
      </RailPane>
      {played && (
        <Suspense>
          <OutputPlayer
            output={played}
            playlist={playlist}
            isOpen={isPlaying}
            onPlay={play}
            onCompare={(output) => {
              setIsPlaying(false);
              setCompared(output);
            }}
            onClose={() => setIsPlaying(false)}
          />
        </Suspense>
      )}
      {compared && (
        <Suspense>
          <Compare
            job={job}
            output={compared}
            variants={(outputs[compared.video_id] ?? NO_OUTPUTS).filter(({ segment }) => segment === compared.segment)}
            onClose={() => setCompared(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
