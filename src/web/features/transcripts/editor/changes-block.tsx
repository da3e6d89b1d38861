import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import type { WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { readFilesOfVideos, transcriptKeys } from "../../../api/functions/transcripts.ts";
import { createJob, readJob } from "../../../api/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { rerunOfVideos } from "../../../jobs/rerun/rerun-of-videos.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { classNames } from "../../../ui/class-names.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import type { EditorView } from "../draft/transcript-editor.ts";
import { changesOf } from "../model/changes.ts";
import { requireSaved } from "./use-transcript-editor.ts";
import { type AffectedJob, affectedJobs, describeChanges, describeFiles } from "./affected-files.ts";

/** Shows which finished files the corrections affect, and makes them again. */
export function ChangesBlock({
  transcript: { id, videos },
  view,
  onFlush,
}: {
  transcript: WholeTranscript;
  view: EditorView;
  onFlush: () => Promise<boolean>;
}) {
  const navigate = useNavigate();
  // Counts after the key press is shown.
  const editing = useDeferredValue(view.editing);
  const changes = useMemo(() => changesOf(editing), [editing]);
  const hasChanges = changes.lines > 0;
  const [startedFor, setStartedFor] = useState<EditorView["editing"]["lines"] | null>(null);
  const files = useQuery({
    queryKey: transcriptKeys.files(id),
    queryFn: () => readFilesOfVideos(videos.map((video) => video.video_id)),
    enabled: hasChanges && videos.length > 0,
  });
  const jobs = useMemo(() => {
    if (videos.length === 0) return [];
    return files.data ? affectedJobs(videos, files.data, changes) : null;
  }, [videos, files.data, changes]);
  const start = useMutation({
    mutationFn: async (affected: readonly AffectedJob[]) => {
      await requireSaved(onFlush);
      const made = [];
      for (const { jobId, positions } of affected) {
        made.push(await createJob(rerunOfVideos(await readJob(jobId), positions)));
      }
      return made;
    },
    onSuccess: async (made) => {
      setStartedFor(view.editing.lines);
      const [only] = made;
      const title = made.length === 1 ? "Job started" : `${pluralize(made.length, "job")} started`;
      showToast({ title, description: "Its files will show the corrections.", variant: "success" });
      if (only && made.length === 1) await navigate({ to: paths.job, params: { jobId: only.id } });
    },
    onError: (error) =>
      showToast({
        title: (error instanceof CallError && error.title) || "Couldn't start the job",
        description: error.message,
        variant: "destructive",
      }),
  });
  const count = jobs?.reduce((sum, job) => sum + job.files, 0) ?? 0;
  const isStarted = startedFor === view.editing.lines;
  return (
    <section
      aria-label="Corrections"
      // On a phone, below the player: the end of the text is far away.
      className={classNames(
        "border-t border-line px-5 py-4 max-desk:border-t-0 max-desk:border-b max-desk:px-4",
        hasChanges ? "max-desk:-order-1" : "max-desk:hidden",
      )}
    >
      <h2 className="mb-1 text-13">Corrections</h2>
      {hasChanges ? (
        <>
          <output className="tnum block">
            {describeChanges(changes)}{" "}
            {files.error ? "Couldn't check which files show the old text." : describeFiles(jobs)}
          </output>
          {jobs !== null && count > 0 && (
            <>
              <Button
                icon={RotateCcw}
                look="primary"
                className="mt-3"
                disabled={isStarted}
                isBusy={start.isPending}
                onClick={onSingleClick(() => start.mutate(jobs))}
              >
                {isStarted ? "Started" : `Make ${pluralize(count, "file")} again`}
              </Button>
              <p className="mt-2 text-12 text-ink-3">
                A new job makes their videos again. Pictures and sounds that stay the same are not encoded again while
                they are in the cache.
              </p>
            </>
          )}
        </>
      ) : (
        <p className="text-12 text-ink-3">
          Corrections apply to all jobs that use this transcript, starting with their next attempt.
        </p>
      )}
    </section>
  );
}
