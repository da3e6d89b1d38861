import path from "node:path";
import type { Assignment } from "#contract/assignment.ts";
import { cleanFileName } from "#storage/clean-name.ts";

/**
 * The name of an output's file: place of the video, variant, segment where cut, and the source's own name last, so
 * that cutting a long one leaves the rest. Unique within the job; sorts as the job does.
 */
export function nameOutput(position: number, sourceName: string, output: Assignment, isCut: boolean): string {
  const place = String(position + 1).padStart(3, "0");
  const segment = isCut ? `-s${String(output.segment + 1).padStart(2, "0")}` : "";
  const prefix = `${place}-v${output.variant + 1}${segment}`;
  return cleanFileName(`${prefix}-${path.parse(sourceName).name}.mp4`, `${prefix}.mp4`);
}
