/** From links of five kinds of sources to the finished job, with the real server and a twin of each host. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { openJobScreen, paste, startOf, unexpectedErrors } from "#tests/support/browser/job-screen.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { FIVE_KINDS_HOSTS, type FiveKinds, startFiveKinds } from "#tests/support/twins/five-kinds.ts";

const GOOD_PER_HOST = 17;

let clipmill: ClipmillProcess;
let client: SupabaseClient;
let twins: FiveKinds;

test.beforeAll(async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-sources-"));
  const clip = path.join(folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1 });
  twins = await startFiveKinds(await readFile(clip));
  await rm(folder, { recursive: true });
  clipmill = await startTemporaryClipmill(twins.environment);
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await twins.close();
});

// spec 2.13.1, 2.13.2, 2.13.5
test("all bad videos of 80 are named with what to do, and the rest becomes a job that fetches each file once", async ({
  page,
}) => {
  const errors = await signIn(page, clipmill.url);
  await client.functions.invoke("settings", { body: { source_hosts: FIVE_KINDS_HOSTS } });
  const samples = (await readLibrary(client)).data.filter(({ kind }) => kind === "video").slice(0, 3);
  const good = Array.from({ length: GOOD_PER_HOST }, (_, index) =>
    twins.addGood(index + 1, (host) => `${host}-${index + 1}.mp4`),
  ).flat();
  const links = [...good, ...samples.map(({ link }) => link)];
  const bad = twins.addBad();
  for (const [index, link] of [...bad.keys()].entries()) links.splice(index * 9, 0, link);
  expect(links).toHaveLength(80);

  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Five kinds");
  await paste(page, page.getByLabel("Video links"), links.join("\n"));
  await expect(page.getByText("71 ready · 9 with problems").first()).toBeVisible({ timeout: 120_000 });
  const grid = page.getByRole("grid", { name: "Videos" });
  for (const [link, sentence] of bad) {
    await grid.evaluate((area, top) => area.scrollTo({ top }), links.indexOf(link) * 49);
    await expect(grid.getByText(sentence).first()).toBeVisible();
  }
  for (const link of good.slice(-4)) {
    await grid.evaluate((area, top) => area.scrollTo({ top }), links.indexOf(link) * 49);
    const name = /(?:drive|dropbox|onedrive|web)-17\.mp4/;
    await expect(grid.getByRole("row").filter({ hasText: name }).first().locator("img")).toBeVisible();
  }
  await page.getByRole("button", { name: "Remove 9 with problems" }).click();
  await startOf(page).click();
  await expect(page.getByText("Job Started")).toBeVisible();
  const job = async () => (await client.from("jobs").select("status").eq("job_name", "Five kinds").single()).data;
  await expect.poll(async () => (await job())?.status, { timeout: 150_000 }).toBe("Completed");
  const counts = twins.wholeDownloads();
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  expect(counts.size).toBe(4 * GOOD_PER_HOST);
  expect(unexpectedErrors(errors)).toEqual([]);
});
