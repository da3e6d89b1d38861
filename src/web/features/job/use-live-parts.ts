import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import type { RowChange } from "../../api/connection/realtime.ts";
import { jobKeys } from "../../jobs/cache/job-keys.ts";
import { createRefresher } from "../../jobs/cache/refresh-soon.ts";
import { createStatusWatch } from "../../jobs/status/status-watch.ts";
import { useLiveJob } from "../../jobs/use-live-job.ts";
import { useLiveRows } from "../../jobs/cache/use-live-rows.ts";
import { createBatch } from "../../jobs/cache/change-batch.ts";
import { createVideoChanges } from "./videos/video-changes.ts";
import { applyToOutputs, type OutputsByVideo } from "./outputs/outputs-by-video.ts";

/** Batches renders: a job may have thousands of videos and files. */
const BATCH_MS = 50;
/** Batches the refetch of events, which are written with status changes. */
const EVENTS_MS = 500;

export function useLiveParts(jobId: string): void {
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
