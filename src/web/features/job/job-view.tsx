import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import type { Job, JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
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
import { applyToOutputs, type OutputsByVideo, playlistOf } from "./outputs/outputs-by-video.ts";
import { createVideoChanges } from "./videos/video-changes.ts";
import { VideoList } from "./videos/video-list.tsx";

const ProofPanel = lazyPart(() => import("./proof/proof-panel.tsx"));
const LinksPanel = lazyPart(() => import("./links/links-panel.tsx"));
const DeliveryPanel = lazyPart(() => import("./deliveries/delivery-panel.tsx"));
const Compare = lazyPart(() => import("../../jobs/compare/compare.tsx"));
const OutputPlayer = lazyPart(() => import("./outputs/output-player.tsx"));

/** A file in the player, or beside its source; closed players stay mounted to animate out. */
type Viewed = { output: JobOutput; in: "player" | "comparison" | null; atSeconds?: number | undefined };

export function JobView({ job, videos, outputs }: { job: Job; videos: readonly JobVideo[]; outputs: OutputsByVideo }) {
  const [viewed, setViewed] = useState<Viewed | null>(null);
  const play = useCallback(
    (output: JobOutput, atSeconds?: number) => setViewed({ output, in: "player", atSeconds }),
    [],
  );
  useLiveParts(job);
  usePageTitle(jobPageTitle(job));
  return (
    <div className="desk:contents max-desk:flex max-desk:flex-col">
      <Pane className="max-desk:contents">
        <div className="max-desk:-order-2">
          <JobHead job={job} />
          <JobNotes job={job} videos={videos} />
          <Suspense>
            <DeliveryPanel jobId={job.id} />
          </Suspense>
          {job.proof_state !== null && <ProofPanel job={job} videos={videos} outputs={outputs} onPlay={play} />}
          {job.link_domain_id !== null && <LinksPanel job={job} />}
        </div>
        <div>
          <VideoList job={job} videos={videos} outputs={outputs} onPlay={play} />
        </div>
      </Pane>
      <RailPane label="Progress and settings" isBesideList className="max-desk:contents">
        <TimeBlock job={job} videos={videos} outputs={outputs} />
        <JobFacts job={job} />
        <JobEvents jobId={job.id} videos={videos} />
      </RailPane>
      {viewed && <Viewer job={job} videos={videos} outputs={outputs} viewed={viewed} onView={setViewed} />}
    </div>
  );
}

function Viewer({
  job,
  videos,
  outputs,
  viewed: { output, in: place, atSeconds },
  onView,
}: Parameters<typeof JobView>[0] & { viewed: Viewed; onView: (viewed: Viewed) => void }) {
  const playlist = useMemo(() => (place === "player" ? playlistOf(videos, outputs) : []), [place, videos, outputs]);
  const close = () => onView({ output, in: null });
  return (
    <Suspense>
      <OutputPlayer
        output={output}
        atSeconds={atSeconds}
        playlist={playlist}
        isOpen={place === "player"}
        onPlay={(next) => onView({ output: next, in: "player" })}
        onCompare={() => onView({ output, in: "comparison" })}
        onClose={close}
      />
      {place === "comparison" && (
        <Compare
          job={job}
          output={output}
          variants={(outputs[output.video_id] ?? []).filter(({ segment }) => segment === output.segment)}
          onClose={close}
        />
      )}
    </Suspense>
  );
}

/** Changes of a job with 10,000 videos are drawn twice a second, those of a small job 20 times. */
function batchMsOf({ total_videos: videos }: Job): number {
  return Math.min(500, 50 + videos / 20);
}

/** Batches the refetch of events, which are written with status changes. */
const EVENTS_MS = 500;

function useLiveParts(job: Job): void {
  const client = useQueryClient();
  const jobId = job.id;
  const batchMs = batchMsOf(job);
  const keys = { videos: jobKeys.videos(jobId), outputs: jobKeys.outputs(jobId) };
  const [videoChanges] = useState(() => createVideoChanges(client, jobId, batchMs));
  const [outputBatch] = useState(() =>
    createBatch<RowChange<JobOutput>>((changes) => {
      client.setQueryData<OutputsByVideo>(keys.outputs, (groups) => groups && applyToOutputs(groups, changes));
    }, batchMs),
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
