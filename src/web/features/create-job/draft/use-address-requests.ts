import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { paths } from "../../../app/routing/paths.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { SET_TEXTS, type SetKind } from "../sets/set-texts.ts";
import type { ChosenSet } from "../sets/use-chosen-set.ts";
import type { Samples } from "../use-samples.ts";
import type { JobForm } from "./job-form.ts";
import type { SavedSets } from "./use-initial-data.ts";
import { useJobRequest } from "./use-job-request.ts";

const SAMPLE_CAPTIONS = ["POV: your first job", "Wait for the end"];

type OfKind<Value> = Record<SetKind, Value>;

/**
 * Applies the URL's parameters once: `?from=<job>` copies a job's settings, `?captionSet=<set>` and `?audioSet=<set>`
 * load a set. Removes each one, so that a reload keeps later edits.
 */
export function useAddressRequests(
  saved: OfKind<SavedSets>,
  chosen: OfKind<ChosenSet>,
  onCopy: (job: WholeJob) => void,
) {
  const navigate = useNavigate();
  const address: Record<string, unknown> = useSearch({ strict: false });
  const from = typeof address.from === "string" ? address.from : null;
  const leave = () => leaveOut(navigate, "from");
  useJobRequest(from, {
    gone: "The job to copy no longer exists.",
    onJob: (job) => {
      onCopy(job);
      leave();
    },
    onFailure: leave,
  });
  // A job brings its own sets.
  useSetRequest("caption", from ? null : address.captionSet, saved.caption, chosen.caption);
  useSetRequest("audio", from ? null : address.audioSet, saved.audio, chosen.audio);
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

export function leaveOut(
  navigate: ReturnType<typeof useNavigate>,
  name: "from" | "samples" | "captionSet" | "audioSet" | "preset",
) {
  void navigate({
    to: paths.createJob,
    search: (previous: Record<string, unknown>) => ({ ...previous, [name]: undefined }),
    replace: true,
    resetScroll: false,
  });
}

/** Fills the form with the sample clips on `?samples=true`, as soon as they exist. */
export function useSampleRequest({ setValue }: UseFormReturn<JobForm>, { isRendering, videoLinks }: Samples): void {
  const navigate = useNavigate();
  const address: Record<string, unknown> = useSearch({ strict: false });
  const isRequested = address.samples === true;
  const fill = useEffectEvent(() => {
    setValue("videoLinks", videoLinks.join("\n"));
    setValue("captionsEnabled", true);
    setValue("captions", SAMPLE_CAPTIONS.join("\n"));
    leaveOut(navigate, "samples");
  });
  const isReady = !isRendering && videoLinks.length > 0;
  useEffect(() => {
    if (isRequested && isReady) fill();
  }, [isRequested, isReady]);
}
