import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { readJob } from "../../../api/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { SET_TEXTS, type SetKind } from "../sets/set-texts.ts";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import type { SavedSets } from "./use-initial-data.ts";

/** PostgREST's status when a requested single row does not exist. */
const NO_SUCH_ROW = 406;

type OfKind<Value> = Record<SetKind, Value>;

/**
 * Applies the URL's parameters once: `?from=<job>` copies a job's settings, `?captionSet=<set>` and `?audioSet=<set>`
 * load a set. Removes each one, so that a reload keeps later edits.
 */
export function useAddressRequests(
  saved: OfKind<SavedSets>,
  chosen: OfKind<ChosenSet>,
  onJob: (job: WholeJob) => void,
) {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const from = typeof address.from === "string" ? address.from : null;
  useJobRequest(from, onJob);
  // Sets load after the job, which brings its own.
  useSetRequest("caption", from ? null : address.captionSet, saved.caption, chosen.caption);
  useSetRequest("audio", from ? null : address.audioSet, saved.audio, chosen.audio);
}

function useJobRequest(id: string | null, onJob: (job: WholeJob) => void) {
  const toast = useToast();
  const navigate = useNavigate();
  const leave = useEffectEvent(() => leaveOut(navigate, "from"));
  const fillUnlessTooLarge = useEffectEvent((job: WholeJob) => {
    const problem = sizeProblem(job);
    if (problem) toast.show({ ...problem, variant: "destructive" });
    else onJob(job);
  });
  const fail = useEffectEvent((error: unknown) => {
    const isGone = error instanceof CallError && error.status === NO_SUCH_ROW;
    const description = isGone ? "The job to copy no longer exists." : "Failed to load initial data";
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

function leaveOut(navigate: ReturnType<typeof useNavigate>, name: "from" | "captionSet" | "audioSet") {
  void navigate({
    to: paths.createJob,
    search: (previous: Record<string, unknown>) => ({ ...previous, [name]: undefined }),
    replace: true,
    resetScroll: false,
  });
}
