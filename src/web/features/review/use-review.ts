import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Verdict } from "#contract/jobs/outputs/review.ts";
import { paths } from "../../app/routing/paths.ts";
import {
  countVerdicts,
  filterOutputs,
  nextToReview,
  REVIEW_FILTERS,
  type ReviewFilter,
  stepFrom,
} from "./list/review-list.ts";
import { useVerdicts } from "./verdicts/use-verdicts.ts";

export function useReview(jobId: string, saved: readonly JobOutput[]) {
  const search: { show?: unknown; output?: unknown } = useSearch({ strict: false });
  const [filter, setFilter] = useState<ReviewFilter>(
    () => REVIEW_FILTERS.find((name) => name === search.show) ?? "unreviewed",
  );
  const [chosenId, setChosenId] = useState(() => (typeof search.output === "string" ? search.output : null));
  const verdicts = useVerdicts(jobId, saved);
  const { outputs } = verdicts;
  const list = useMemo(() => filterOutputs(outputs, filter, chosenId), [outputs, filter, chosenId]);
  const current = list.find(({ id }) => id === chosenId) ?? list[0] ?? null;
  // The shown file stays, whatever verdicts and files arrive, until the reviewer moves on.
  if (current && current.id !== chosenId) setChosenId(current.id);
  const counts = useMemo(() => countVerdicts(outputs), [outputs]);
  useAddress(jobId, filter, current?.id ?? null);

  /** Moves on from the file if it is still shown. */
  function decide(output: JobOutput, verdict: Verdict, reason: string | null = null) {
    verdicts.give([output], verdict, reason);
    if (output.id !== current?.id) return;
    setChosenId(nextToReview(list, current.id, filter)?.id ?? (filter === "unreviewed" ? null : current.id));
  }
  function decideAll(targets: readonly JobOutput[], verdict: Verdict, reason: string | null = null) {
    if (targets.length === 0) return;
    verdicts.give(targets, verdict, reason);
    if (filter === "unreviewed") setChosenId(null);
  }
  return {
    ...verdicts,
    filter,
    list,
    current,
    counts,
    decide,
    choose: setChosenId,
    show: (next: ReviewFilter) => {
      setFilter(next);
      setChosenId(null);
    },
    step: (by: 1 | -1) => {
      const next = current && stepFrom(list, current.id, by);
      if (next) setChosenId(next.id);
    },
    takeBack: () => {
      const id = verdicts.undo();
      if (id !== null) setChosenId(id);
    },
    decideAll,
    approveRest: () =>
      decideAll(
        outputs.filter(({ verdict }) => verdict === null),
        "approved",
      ),
  };
}

/** A reload or a copied URL opens the same file. */
function useAddress(jobId: string, filter: ReviewFilter, outputId: string | null) {
  const navigate = useNavigate();
  useEffect(() => {
    const search = { ...(filter !== "unreviewed" && { show: filter }), ...(outputId !== null && { output: outputId }) };
    void navigate({ to: paths.review, params: { jobId }, search, replace: true, resetScroll: false });
  }, [navigate, jobId, filter, outputId]);
}
