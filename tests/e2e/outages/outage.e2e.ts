import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipTwin, startClipTwin } from "#tests/support/twins/clip-twin.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";

const NOT_SHARED = ["private-1", "private-2"];
const AWAY = ["away-1", "away-2", "away-3", "away-4", "away-5"];
let twin: ClipTwin;
let clipmill: ClipmillProcess;
let client: SupabaseClient;

test.beforeAll(async () => {
  twin = await startClipTwin(1);
  clipmill = await startInstalledClipmill(path.join(twin.folder, "data"), twin.environment);
  client = await signedInClient(clipmill.url);
});
test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
});

test("videos with the same reason are grouped, the address holds the state filter, and one or all can be retried", async ({
  page,
}) => {
  const links = [
    ...NOT_SHARED.map((id) => twin.addClip(id, { kind: "notShared" })),
    ...AWAY.map((id) => twin.addClip(id, { kind: "rateLimited", times: 1_000, retryAfterSeconds: 1_200 })),
  ];
  const job = await createJob(client, { job_name: "During an outage", input_videos: links });
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${job.id}`);
  const groups = page.getByRole("list", { name: "Reasons" }).getByRole("listitem");
  const waiting = groups.filter({ hasText: "5 videos: Google Drive is limiting requests." });
  const failed = groups.filter({ hasText: "2 videos: This Google Drive file is not shared." });
  await expect(waiting).toContainText(/Next try around \d\d:\d\d\./, { timeout: 30_000 });
  await expect(failed).toBeVisible();
  await expect(page.getByText("2 of 7 videos finished")).toBeVisible();
  await expectAccessible(page);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
  }
  await page.setViewportSize({ width: 1366, height: 650 });

  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Failed (2)" }).click();
  await expect(page).toHaveURL(/\?state=failed$/);
  await expect(page.getByRole("article")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("article")).toHaveCount(2);

  for (const id of AWAY) twin.addClip(id);
  await waiting.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText("The videos are being retried.")).toBeVisible();
  await expect(page.getByText("7 of 7 videos finished")).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => hasEnded(client, job.id)).toBe(true);

  twin.addClip(NOT_SHARED[0]!);
  await page.getByRole("button", { name: "Retry: video 1" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  // A single failed video forms no group.
  await expect(groups).toHaveCount(0);
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  twin.addClip(NOT_SHARED[1]!);
  await page.getByRole("button", { name: "Retry: video 2" }).click();
  await expect(page.getByText("No videos have this status.")).toBeVisible();
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "All videos (7)" }).click();
  await expect(page.getByRole("article").getByText("1 of 1 file", { exact: true })).toHaveCount(7, { timeout: 60_000 });
  expect(errors).toEqual([]);
});
