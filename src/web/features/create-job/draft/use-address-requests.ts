import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { readJob } from "../../../api/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { isMissingJob } from "../../../jobs/job-address.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { SET_TEXTS, type SetKind } from "../sets/set-texts.ts";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import type { SavedSets } from "./use-initial-data.ts";

type OfKind<Value> = Record<SetKind, Value>;

/**
 * Applies the URL's parameters once: `?from=<job>` copies a job's settings, `?change=<job>` also makes the form change
 * that job, `?captionSet=<set>` and `?audioSet=<set>` load a set. Removes each one, so that a reload keeps later edits.
 */
export function useAddressRequests(
  saved: OfKind<SavedSets>,
  chosen: OfKind<ChosenSet>,
  onJob: (job: WholeJob, isChange: boolean) => void,
) {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const change = typeof address.change === "string" ? address.change : null;
  const from = change ?? (typeof address.from === "string" ? address.from : null);
  useJobRequest(from, change !== null, onJob);
  // A job brings its own sets.
  useSetRequest("caption", from ? null : address.captionSet, saved.caption, chosen.caption);
  useSetRequest("audio", from ? null : address.audioSet, saved.audio, chosen.audio);
}

function useJobRequest(id: string | null, isChange: boolean, onJob: (job: WholeJob, isChange: boolean) => void) {
  const toast = useToast();
  const navigate = useNavigate();
  const leave = useEffectEvent(() => leaveOut(navigate, isChange ? "change" : "from"));
  const fillUnlessTooLarge = useEffectEvent((job: WholeJob) => {
    const problem = sizeProblem(job) ?? (isChange && !job.awaiting_approval ? DECIDED : null);
    if (problem) {
      toast.show({ ...problem, variant: "destructive" });
      return;
    }
    onJob(job, isChange);
    if (isChange) keepChanging(navigate, job.id);
  });
  const fail = useEffectEvent((error: unknown) => {
    const gone = isChange ? "The job to change no longer exists." : "The job to copy no longer exists.";
    const description = isMissingJob(error) ? gone : "Failed to load initial data";
    toast.show({ title: "Error", description, variant: "destructive" });
  });
  useEffect(() => {
    if (id === null) return undefined;
    let isActive = true;
    readJob(id)
      .then((job) => isActive && fillUnlessTooLarge(job))
      .catch((error: unknown) => isActive && fail(error))
      .finally(() => isActive && leave());
    return () => {
      isActive = false;
    };
  }, [id]);
}

function useSetRequest(kind: SetKind, requestedId: unknown, { sets, isCurrent }: SavedSets, chosen: ChosenSet) {
  const toast = useToast();
  const navigate = useNavigate();
  const load = useEffectEvent((setId: string) => {
    const set = sets.find(({ id }) => id === setId);
    if (set) chosen.load(set);
    else toast.show({ ...SET_TEXTS[kind].gone, variant: "destructive" });
    leaveOut(navigate, kind === "caption" ? "captionSet" : "audioSet");
  });
  useEffect(() => {
    if (typeof requestedId === "string" && isCurrent) load(requestedId);
  }, [isCurrent, requestedId]);
}

const DECIDED = { title: "Error", description: "This job is no longer waiting for approval." };

function keepChanging(navigate: ReturnType<typeof useNavigate>, jobId: string) {
  void navigate({ to: paths.createJob, search: { changing: jobId }, replace: true, resetScroll: false });
}

export function leaveOut(
  navigate: ReturnType<typeof useNavigate>,
  name: "from" | "change" | "captionSet" | "audioSet" | "preset",
) {
  void navigate({
    to: paths.createJob,
    search: (previous: Record<string, unknown>) => ({ ...previous, [name]: undefined }),
    replace: true,
    resetScroll: false,
  });
}
