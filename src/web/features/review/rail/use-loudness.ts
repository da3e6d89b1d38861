import { useQuery } from "@tanstack/react-query";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { useSettled } from "../../../ui/use-settled.ts";
import { MAX_MEASURED_SECONDS, measureLoudness } from "./measure-loudness.ts";

/** Measures once the reviewer stays with the file for half a second. */
export function useLoudness(output: JobOutput): string {
  const settledId = useSettled(output.id);
  const isShort = (output.duration_seconds ?? 0) <= MAX_MEASURED_SECONDS;
  const { data, error } = useQuery({
    queryKey: ["loudness", output.id, output.size_bytes],
    queryFn: ({ signal }) => measureLoudness(output.media_url!, signal),
    enabled: settledId === output.id && isShort && output.media_url !== null,
    staleTime: Infinity,
    retry: false,
  });
  if (!isShort) return "Too long to measure";
  if (error) return "Can't be measured in this browser";
  if (data === undefined) return "Measuring";
  if (data === null) return "No sound";
  const { integratedLufs, peakDb } = data;
  if (integratedLufs === null) return "Silent, or too short";
  return `${formatDecibels(integratedLufs)} LUFS, peak ${formatDecibels(peakDb)} dBFS`;
}

/** Uses a minus sign, because tabular figures widen the hyphen. */
export function formatDecibels(value: number): string {
  return value.toFixed(1).replace("-", "−");
}
