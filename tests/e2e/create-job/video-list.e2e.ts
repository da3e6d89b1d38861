/** The list of videos on the job screen. The answers of the function preflight are given here, except in the last test. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { DRIVE, openJobScreen, paste, startOf, toastOf, unexpectedFaults } from "#tests/support/browser/job-screen.ts";
import { answerPreflight, PENDING, problem } from "#tests/support/browser/preflight.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

let folder: string;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let faults: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-video-list-"));
  clipmill = await startInstalledClipmill(path.join(folder, "data"));
  client = await signedInClient(clipmill.url);
  await client.functions.invoke("settings", { body: { source_hosts: ["web"] } });
});

test.afterAll(async () => {
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => {
  faults = await signIn(page, clipmill.url);
});

test.afterEach(() => {
  expect(unexpectedFaults(faults)).toEqual([]);
});

const field = (page: Page): Locator => page.getByLabel("Video links");
const grid = (page: Page): Locator => page.getByRole("grid", { name: "Videos" });
const rows = (page: Page): Locator => grid(page).getByRole("row");
const rowOf = (page: Page, name: string): Locator => rows(page).filter({ hasText: name });
const linksIn = async (page: Page): Promise<string[]> => (await field(page).inputValue()).split("\n");
const drive = (id: string) => `${DRIVE}/${id}/view`;

/** Nine ways to be bad, each with the sentence that says what to do. */
const BAD = new Map([
  [drive("private"), 'This file is shared with specific people only. Share it as "Anyone with the link".'],
  [drive("deleted"), "Google Drive has no file at this link. Check the link."],
  [drive("sheet"), "This file is not a video. Use a link to a video file."],
  [drive("virus"), "Google Drive found a virus in this file. Use another file."],
  [drive("quota"), "Google Drive's download quota has been reached. Retry in 24 hours."],
  ["https://site.example/page.html", "This address leads to a web page. Use the address of the file itself."],
  ["https://site.example/cut.mp4", "This file is incomplete. Upload it again and replace the link."],
  ["https://site.example/huge.mp4", "This file exceeds 10 GB. Use a smaller one."],
  ["https://clipmill.local/file/d/gone", "This file was deleted from the library. Upload it again."],
]);

test("all bad videos of 80 are named with what to do and removed at once; the rest is exact in the plan, and starts", async ({
  page,
}) => {
  const good = [
    ...Array.from({ length: 41 }, (_, index) => drive(`clip-${index + 1}`)),
    ...Array.from({ length: 30 }, (_, index) => `https://site.example/web-${index + 1}.mp4`),
  ];
  const all = [...good];
  for (const [index, link] of [...BAD.keys()].entries()) all.splice(index * 8, 0, link);
  const calls = await answerPreflight(page, (link, times) => {
    if (times === 1 && link.includes("clip-1")) return PENDING;
    const sentence = BAD.get(link);
    return sentence === undefined ? null : problem(sentence);
  });
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Eighty");
  await paste(page, field(page), all.join("\n"));
  await expect(page.getByText("71 ready · 9 with problems").first()).toBeVisible();
  // One call for all, and more only about those that were pending.
  expect(calls.map(({ length }) => length)).toEqual([80, 11]);
  await expect(rows(page).first()).toContainText("This file is shared with specific people only.");
  for (const [link, sentence] of BAD) {
    await grid(page).evaluate((area, top) => area.scrollTo({ top }), all.indexOf(link) * 49);
    await expect(grid(page).getByText(sentence)).toBeVisible();
  }
  await grid(page).evaluate((area) => area.scrollTo({ top: 0 }));
  await expect(rowOf(page, "clip-1.mp4")).toContainText("0:24 · 12.4 MB · Portrait, 1080 × 1920 · Sound");
  await expect(rowOf(page, "clip-1.mp4").locator("img")).toBeVisible();
  await expectAccessible(page, "80 videos");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectAccessible(page, "80 videos on a phone");
  await page.setViewportSize({ width: 1440, height: 900 });

  // A problem that was put right outside.
  BAD.delete(drive("private"));
  await page.getByRole("button", { name: "Check Drive file private again" }).click();
  await expect(page.getByText("72 ready · 8 with problems").first()).toBeVisible();
  await page.getByRole("button", { name: "Remove 8 with problems" }).dblclick();
  await expect(toastOf(page, "Videos Removed")).toContainText("8 videos removed.");
  expect(await linksIn(page)).toEqual([drive("private"), ...good]);
  await toastOf(page, "Videos Removed").getByRole("button", { name: "Undo" }).click();
  expect(await linksIn(page)).toEqual(all);
  await page.getByRole("button", { name: "Remove 8 with problems" }).click();
  const plan = page.getByRole("complementary", { name: "Plan" });
  await expect(plan.getByText("28:48")).toBeVisible();
  await page.getByRole("button", { name: "Advanced Options" }).click();
  await page.getByText("Consecutive clips").click();
  await page.getByLabel("Segment length").fill("10");
  await expect(plan.getByText("216", { exact: true })).toBeVisible();
  await startOf(page).dblclick();
  await expect(page.getByText("Job Started")).toBeVisible();
  const { data } = await client.from("jobs").select("id,input_videos").eq("job_name", "Eighty");
  expect(data).toHaveLength(1);
  expect(data![0]!.input_videos).toEqual([drive("private"), ...good]);
  await expect(grid(page)).toHaveCount(0);
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: data![0]!.id as string } });
});
