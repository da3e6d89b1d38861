import { Suspense, useMemo, useState } from "react";
import type { Job, JobOutput, JobVideo } from "#contract/jobs.ts";
import { jobPageTitle } from "../../jobs/job-page-title.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { Pane, RailPane } from "../../ui/pane.tsx";
import { JobEvents } from "./job-events.tsx";
import { JobFacts } from "./job-facts.tsx";
import { JobHead } from "./job-head.tsx";
import { JobNotes } from "./job-notes.tsx";
import type { OutputsByVideo } from "./outputs-by-video.ts";
import { playlistOf } from "./playlist.ts";
import { TimeBlock } from "./time-block.tsx";
import { useLiveJob } from "./use-live-job.ts";
import { VideoSection } from "./video-section.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";

const OutputPlayer = lazyPart(() => import("./output-player.tsx"));

const NO_OUTPUTS: readonly JobOutput[] = [];

/** The job's page once all of it is loaded. On phones its parts stand below each other, time left first. */
export function JobView({ job, videos, outputs }: { job: Job; videos: readonly JobVideo[]; outputs: OutputsByVideo }) {
  const [played, setPlayed] = useState<JobOutput | null>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [play] = useState(() => (output: JobOutput) => {
    setPlayed(output);
    setIsPlaying(true);
  });
  const playlist = useMemo(() => (isPlaying ? playlistOf(videos, outputs) : []), [isPlaying, videos, outputs]);
  useLiveJob(job.id);
  usePageTitle(jobPageTitle(job));
  return (
    <div className="desk:contents max-desk:flex max-desk:flex-col">
      <Pane className="max-desk:contents">
        <div className="max-desk:-order-2">
          <JobHead job={job} />
          <JobNotes job={job} videos={videos} />
        </div>
        <div>
          {videos.map((video) => (
            <VideoSection
              key={video.id}
              video={video}
              outputs={outputs[video.id] ?? NO_OUTPUTS}
              variants={job.variants_per_video}
              segmentation={job.segmentation_type}
              segmentSeconds={job.segment_duration}
              mostAttempts={job.max_retries + 1}
              onPlay={play}
            />
          ))}
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
            onClose={() => setIsPlaying(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
