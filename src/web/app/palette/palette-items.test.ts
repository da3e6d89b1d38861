import { expect, test } from "vitest";
import { testJob } from "../../jobs/test-job.ts";
import { paletteGroups } from "./palette-items.ts";
import { keepMatching } from "./keep-matching.ts";

const nothing = { jobs: [], actionJobs: [], captionSets: [], audioSets: [] };
const running = testJob({ id: "1", job_name: "Summer", status: "Processing" });
const done = testJob({ id: "2", job_name: "Summer", status: "Completed", download_url: "/downloads/jobs/2" });

function labels(
  typed: string,
  found: Partial<typeof nothing> | object = {},
  isPaused: boolean | null = null,
): [string, string[]][] {
  return paletteGroups(typed, { ...nothing, ...found }, isPaused).map(({ value, items }) => [
    value,
    items.map(({ label }) => label),
  ]);
}

test("a verb lists the jobs it applies to before jobs with that name", () => {
  expect(labels("cancel sum", { actionJobs: [running] })).toEqual([["Actions", ["Cancel Summer"]]]);
  expect(labels("Download", { actionJobs: [done] })).toEqual([["Actions", ["Download Summer"]]]);
  const called = testJob({ id: "3", job_name: "Cancel culture", status: "Failed" });
  expect(labels("cancel", { actionJobs: [running], jobs: [called] })).toEqual([
    ["Actions", ["Cancel Summer"]],
    ["Jobs", ["Cancel culture"]],
  ]);
});

test("found jobs offer cancel and download where possible, but only after something was typed", () => {
  expect(labels("summer", { jobs: [running, done] })).toEqual([
    ["Jobs", ["Summer", "Summer"]],
    ["Actions", ["Cancel Summer", "Download Summer"]],
  ]);
  const acts = paletteGroups("cancel", { ...nothing, actionJobs: [running] }, null)[0]!.items.map(({ act }) => act);
  expect(acts).toEqual([{ cancel: running }]);
  expect(labels("", { jobs: [running] }).at(-1)![1]).not.toContain("Cancel Summer");
});

test("the palette offers to change the password", () => {
  expect(labels("passw")).toEqual([["Actions", ["Change password"]]]);
});

test("sections of Settings are found by their title, their tab and other words", () => {
  expect(labels("audit")).toEqual([["Settings", ["Audit Log"]]]);
  expect(labels("automation")).toEqual([["Settings", ["API Tokens", "Webhooks", "Embedded Pages"]]]);
  expect(labels("openai")).toEqual([["Settings", ["API Keys", "Models"]]]);
  expect(labels("").map(([group]) => group)).not.toContain("Settings");
});

test("the queue can be paused or resumed, depending on its state", () => {
  expect(labels("queue", {}, false).at(-1)).toEqual(["Actions", ["Pause queue"]]);
  expect(labels("queue", {}, true).at(-1)).toEqual(["Actions", ["Resume queue"]]);
  expect(labels("queue", {}, null).map(([group]) => group)).toEqual(["Settings"]);
});

test("a job that was found by a caption shows it, also one of a row", () => {
  const rows = [{ link: "b", settings: { custom_captions: ["Wait for the POUR"] } }];
  const job = testJob({ id: "5", job_name: "Monday", custom_captions: ["Coffee first"], rows });
  const detail = (typed: string) => paletteGroups(typed, { ...nothing, jobs: [job] }, null).at(0)!.items[0]!.detail;
  expect(["pour", "coffee", "mond"].map(detail)).toEqual(["Wait for the POUR", "Coffee first", null]);
  expect(keepMatching({ ...nothing, jobs: [job] }, "the pour").jobs).toEqual([job]);
});

test("while a search is in flight, only items that match the typed text are offered", () => {
  const found = {
    ...nothing,
    jobs: [running],
    actionJobs: [running],
    captionSets: [{ id: "4", name: "Summer lines" }],
  };
  expect(keepMatching(found, "change pass")).toEqual(nothing);
  expect(keepMatching(found, "cancel summ")).toEqual({ ...nothing, actionJobs: [running] });
  expect(keepMatching(found, "cancel winter")).toEqual(nothing);
  expect(keepMatching(found, "SUMMER")).toEqual({ ...found, actionJobs: [] });
});
