import { useEffect, useEffectEvent, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { JobForm } from "../draft/job-form.ts";
import type { VideoRow } from "../videos/read-rows.ts";
import { nextName, suggestJobName } from "./suggest-name.ts";

/** Suggests a job name once there is a valid link, until the operator writes one or empties it. */
export function useSuggestedName(
  { getValues, setValue }: UseFormReturn<JobForm>,
  { rows, preset }: { rows: readonly VideoRow[]; preset: string | null },
): void {
  const suggested = useRef("");
  const first = rows.find(({ video }) => video === 0);
  const hasLinks = first !== undefined;
  // A link's own text is no name.
  const file = first?.state === "ready" ? first.name : null;
  const suggest = useEffectEvent(() => {
    const suggestion = hasLinks ? suggestJobName(preset, new Date(), file) : null;
    const next = nextName({ name: getValues("jobName"), suggested: suggested.current }, suggestion);
    if (!next) return;
    suggested.current = next.suggested;
    if (next.name !== getValues("jobName")) setValue("jobName", next.name, { shouldDirty: true });
  });
  useEffect(suggest, [hasLinks, file, preset]);
}
