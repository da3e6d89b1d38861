import { expect, test } from "vitest";
import { describeDeletion } from "./describe-deletion.ts";

const file = (jobs: number, unfinishedJobs = 0, isInCaptionLab = false, savedIn = 0) => ({
  name: "a.mp4",
  usage: { jobs, unfinishedJobs, savedIn, isInCaptionLab },
});

test.each([
  [[file(0)], "No job uses this file."],
  [[file(1)], "Used in 1 job. Finished jobs keep their files, but reruns can't use this one anymore."],
  [[file(3, 2)], "2 running or waiting jobs need this file. It can be deleted when they have ended."],
  [[file(0, 0, true)], "Caption Lab is still using this file. It can be deleted when the captions are done."],
  [[file(0, 0, false, 1)], "1 preset, brand kit or audio set needs this file. Remove it there before you delete it."],
  [[file(0), file(0)], "No job uses these files."],
  [
    [file(2, 1), file(1), file(0)],
    "1 of these files is needed by running or waiting jobs, presets, brand kits or audio sets and will be kept. 1 is used in finished jobs, which keep their files; reruns can't use the deleted ones anymore.",
  ],
  [
    [file(2, 1), file(1, 1)],
    "All of these files are still needed, by running or waiting jobs, presets, brand kits or audio sets, and will be kept.",
  ],
])("describes the deletion of %j", (files, text) => expect(describeDeletion(files)).toBe(text));
