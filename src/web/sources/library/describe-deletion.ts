import type { LibraryFile } from "#contract/calls.ts";
import { formatCount, pluralize } from "../../jobs/row/pluralize.ts";

const NEEDED_BY = "running or waiting jobs, presets, brand kits or audio sets";

type Used = Pick<LibraryFile, "name" | "usage">;

/** Whether the server would keep the file, as far as this browser knows. */
function isHeld({ usage }: Pick<Used, "usage">): boolean {
  return usage.unfinishedJobs > 0 || usage.savedIn > 0 || usage.isInCaptionLab;
}

export function describeDeletion(files: readonly Used[]): string {
  const [file] = files;
  return files.length === 1 && file ? describeOne(file) : describeMany(files);
}

function describeOne(file: Used): string {
  const { jobs, unfinishedJobs, savedIn } = file.usage;
  if (unfinishedJobs > 0) {
    return `${pluralize(unfinishedJobs, "running or waiting job")} ${unfinishedJobs === 1 ? "needs" : "need"} this file. It can be deleted when they have ended.`;
  }
  if (savedIn > 0) {
    return `${pluralize(savedIn, "preset, brand kit or audio set", "presets, brand kits or audio sets")} ${savedIn === 1 ? "needs" : "need"} this file. Remove it there before you delete it.`;
  }
  if (file.usage.isInCaptionLab)
    return "Caption Lab is still using this file. It can be deleted when the captions are done.";
  return jobs === 0
    ? "No job uses this file."
    : `Used in ${pluralize(jobs, "job")}. Finished jobs keep their files, but reruns can't use this one anymore.`;
}

function describeMany(files: readonly Used[]): string {
  const held = files.filter(isHeld).length;
  const used = files.filter((file) => file.usage.jobs > 0 && !isHeld(file)).length;
  const sentences: string[] = [];
  if (held > 0) {
    sentences.push(
      held === files.length
        ? `All of these files are still needed, by ${NEEDED_BY}, and will be kept.`
        : `${formatCount(held)} of these files ${held === 1 ? "is" : "are"} needed by ${NEEDED_BY} and will be kept.`,
    );
  }
  if (used > 0) {
    sentences.push(
      `${formatCount(used)} ${used === 1 ? "is" : "are"} used in finished jobs, which keep their files; reruns can't use the deleted ones anymore.`,
    );
  }
  return sentences.length > 0 ? sentences.join(" ") : "No job uses these files.";
}
