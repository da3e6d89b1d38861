import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { Job, JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import { clockSpeed } from "#contract/jobs/video-settings.ts";
import { readSourceLink } from "../../api/functions/job-files.ts";
import { readJobVideos } from "../../api/jobs.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { jobKeys } from "../cache/job-keys.ts";
import { assignmentOf } from "../output-assignment.ts";
import CompareDialog from "./compare-dialog.tsx";
import { comparedFiles, type ComparedSource } from "./compared-pair.tsx";

export default function Compare({
  job,
  output,
  variants,
  onClose,
}: {
  job: Job;
  output: JobOutput;
  variants: readonly JobOutput[];
  onClose: () => void;
}) {
  const source = useSource(job, output);
  const [first] = useState(output);
  // Its host may take seconds to respond; other variants need not wait for it.
  const files = useMemo(() => comparedFiles(first, variants, source ?? null), [first, variants, source]);
  if (files.length < 2) return source === undefined ? null : <NothingToCompare onClose={onClose} />;
  return <CompareDialog files={files} isOpen onClose={onClose} />;
}

/** Returns undefined until known; null if the source cannot be played. */
function useSource(job: Job, output: JobOutput): ComparedSource | null | undefined {
  const videos = useQuery({ queryKey: jobKeys.videos(job.id), queryFn: () => readJobVideos(job.id) });
  const link = useQuery({
    queryKey: ["source-link", output.video_id],
    queryFn: () => readSourceLink(output.video_id),
    retry: false,
  });
  const video: JobVideo | undefined = videos.data?.find(({ id }) => id === output.video_id);
  return useMemo(() => {
    if (videos.isPending || link.isPending) return undefined;
    if (!video || !link.data) return null;
    const made = assignmentOf(job, video, output);
    const startSeconds = made?.assignment.window?.startSeconds ?? 0;
    return { url: link.data, startSeconds, speed: made ? clockSpeed(made.settings) : 1 };
  }, [videos.isPending, link.isPending, link.data, video, job, output]);
}

function NothingToCompare({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    showToast({
      title: "Nothing to compare",
      description: "This file has no other variant, and its source can't be read.",
    });
    close();
  }, []);
  return null;
}
