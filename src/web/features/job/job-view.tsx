import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { type Job, type JobOutput, jobTitle, type JobVideo } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { createBatch } from "../../jobs/cache/change-batch.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";
import { useLiveRows } from "../../jobs/cache/use-live-rows.ts";
import { jobPageTitle } from "../../jobs/status/job-page-title.ts";
import { createStatusWatch } from "../../jobs/status/status-watch.ts";
import { useLiveJob } from "../../jobs/use-live-job.ts";
import { Pane, RailPane } from "../../ui/dialogs/pane.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { usePageTitle } from "../../ui/text/page-title.ts";
import { JobEvents } from "./events/job-events.tsx";
import { TimeBlock } from "./events/time-block.tsx";
import { JobFacts } from "./head/job-facts.tsx";
import { JobHead } from "./head/job-head.tsx";
import { JobNotes } from "./head/job-notes.tsx";
import { filesOf } from "./outputs/file-counts.ts";
import { applyToOutputs, type OutputsByVideo } from "./outputs/outputs-by-video.ts";
import { playlistOf } from "./outputs/playlist.ts";
import { ReasonGroups } from "./videos/reason-groups.tsx";
import { SteadyVideos } from "./videos/steady-videos.tsx";
import { useRetryNow } from "./videos/use-retry-now.ts";
import { createVideoChanges } from "./videos/video-changes.ts";
import { useShownState, VideoFilter } from "./videos/video-filter.tsx";
import { VideoSection } from "./videos/video-section.tsx";

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

/** Batches renders: a job may have thousands of videos and files. */
const BATCH_MS = 50;
/** Batches the refetch of events, which are written with status changes. */
const EVENTS_MS = 500;

function useLiveParts(jobId: string): void {
  const client = useQueryClient();
  const keys = { videos: jobKeys.videos(jobId), outputs: jobKeys.outputs(jobId) };
  const [videoChanges] = useState(() => createVideoChanges(client, jobId, BATCH_MS));
  const [outputBatch] = useState(() =>
    createBatch<RowChange<JobOutput>>((changes) => {
      client.setQueryData<OutputsByVideo>(keys.outputs, (groups) => groups && applyToOutputs(groups, changes));
    }, BATCH_MS),
  );
  const [isStatusChange] = useState(createStatusWatch);
  const [events] = useState(() =>
    createRefresher(() => client.invalidateQueries({ queryKey: jobKeys.events(jobId) }), EVENTS_MS),
  );
  useEffect(
    () => () => {
      for (const task of [videoChanges, outputBatch, events]) task.stop();
    },
    [videoChanges, outputBatch, events],
  );

  const refresh = (queryKey: readonly string[]) => () => void client.invalidateQueries({ queryKey });
  useLiveJob(jobId, {
    onChange: (change) => {
      if (isStatusChange(change)) events.request();
    },
    onSubscribed: () => events.request(),
  });
  useLiveRows<JobVideo>({
    channel: `job-videos-${jobId}`,
    table: "job_videos",
    filter: `job_id=eq.${jobId}`,
    onChange: (change) => {
      if (isStatusChange(change)) events.request();
      videoChanges.add(change);
    },
    onSubscribed: refresh(keys.videos),
  });
  useLiveRows<JobOutput>({
    channel: `job-outputs-${jobId}`,
    table: "job_outputs",
    filter: `job_id=eq.${jobId}`,
    onChange: outputBatch.add,
    onSubscribed: refresh(keys.outputs),
  });
}
