import { expect, type Locator, type Page } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { LibraryFile } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import {
  addFrom,
  DRIVE,
  openJobScreen,
  paste,
  startOf,
  unexpectedErrors,
  videoLinksOf,
} from "#tests/support/browser/job-screen.ts";
import { fulfillPreflight } from "#tests/support/browser/preflight.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const clip = (name: string) => `${DRIVE}/${name}/view`;

let clipmill: SeededClipmill;
let client: SupabaseClient;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  client = await signedInClient(clipmill.url);
});

const slotOf = (page: Page, name: string): Locator => page.getByRole("group", { name, exact: true });
const summaryOf = (page: Page): Locator => page.getByRole("region", { name: "Slots" });

async function addClips(page: Page, slot: string, ...names: string[]): Promise<void> {
  await paste(page, slotOf(page, slot).getByLabel(`Links of ${slot}`), names.map(clip).join("\n"));
  await expect(slotOf(page, slot).getByRole("listitem")).toHaveCount(names.length);
}

/** Two hooks, two bodies and three endings. */
async function openSlots(page: Page): Promise<string[]> {
  await fulfillPreflight(page);
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await paste(page, videoLinksOf(page), ["hook-1", "hook-2"].map(clip).join("\n"));
  // The list replaces the field and its menu.
  await expect(page.getByRole("grid", { name: "Videos" })).toHaveAttribute("aria-rowcount", "2");
  await addFrom(page, "Combine clips in slots");
  await expect(slotOf(page, "Hook").getByRole("listitem")).toHaveCount(2);
  await addClips(page, "Body", "body-1", "body-2");
  await page.getByRole("button", { name: "Add slot" }).click();
  await addClips(page, "Ending", "ending-1", "ending-2", "ending-3");
  return errors;
}

// spec 2.19.1, 2.19.2
test("clips of three slots become all combinations, without an excluded pair, in one job", async ({ page }) => {
  const errors = await openSlots(page);
  await expect(summaryOf(page)).toContainText("2 × 2 × 3 = 12 videos from 7 clips");
  await page.getByRole("button", { name: "Show 12 combinations" }).click();
  const combinations = page.getByRole("list", { name: "Combinations" });
  await expect(combinations.getByRole("listitem")).toHaveCount(12);
  await combinations.getByRole("listitem").first().getByRole("button", { name: "Exclude a pair" }).click();
  await page.getByRole("menuitem", { name: "Hook 1 with Ending 1" }).click();
  await expect(combinations.getByRole("listitem")).toHaveCount(10);
  await slotOf(page, "Hook").getByRole("button", { name: "Trim hook-1.mp4" }).click();
  await slotOf(page, "Hook").getByLabel("End at (s)").fill("3");
  await slotOf(page, "Hook").getByLabel("Speed (×)").fill("2.5");
  await expect(slotOf(page, "Hook")).toContainText("From 0.5 to 2");
  await slotOf(page, "Hook").getByLabel("Speed (×)").fill("1,25");
  await expect(slotOf(page, "Hook")).toContainText("0 s to 3 s · 1.25×");
  await page.getByRole("button", { name: "More actions for Hook" }).click();
  await page.getByRole("menuitem", { name: "Add own captions" }).click();
  await slotOf(page, "Hook").getByLabel("Own captions, one per line").fill("Wait for it\nStop scrolling");
  await page.getByRole("button", { name: "Advanced Options" }).click();
  await page.getByLabel("Crossfade between clips").fill("0.5");
  const speed = page.getByLabel("Speed", { exact: true });
  await speed.fill("0.756");
  await speed.blur();
  await expect(speed).toHaveValue("0.76");
  await page.getByRole("switch", { name: "Even out the clips' loudness" }).uncheck();
  await expectAccessible(page, "slots");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page);
  }
  const created = page.waitForResponse(
    (response) => response.url().endsWith("/functions/v1/jobs") && response.request().postDataJSON()?.job_name,
  );
  await startOf(page).click();
  const { id } = ((await (await created).json()) as { data: Job }).data;
  await expect(page.getByRole("link", { name: "Open job" })).toBeVisible();
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: id } });
  const { data: job } = await client.from("jobs").select("*").eq("id", id).single<Job>().throwOnError();
  expect(job).toMatchObject({
    total_videos: 10,
    transition_seconds: 0.5,
    speed: 0.76,
    even_loudness: false,
    combine: "all",
    exclude: [[clip("hook-1"), clip("ending-1")]],
    slots: [
      {
        name: "Hook",
        clips: [{ link: clip("hook-1"), end_seconds: 3, speed: 1.25 }, { link: clip("hook-2") }],
        captions: ["Wait for it", "Stop scrolling"],
      },
      { name: "Body", clips: [{ link: clip("body-1") }, { link: clip("body-2") }] },
      { name: "Ending", clips: ["ending-1", "ending-2", "ending-3"].map((name) => ({ link: clip(name) })) },
    ],
  });
  await openJobScreen(page, clipmill.url, `?from=${id}`);
  await expect(summaryOf(page)).toContainText("2 × 2 × 3, without the excluded pairs: 10 videos from 7 clips");
  expect(unexpectedErrors(errors)).toEqual([]);
});

// spec 2.19.2, 2.19.3
test("a number of combinations is spread evenly, and slots are kept in the draft", async ({ page }) => {
  const errors = await openSlots(page);
  await page.getByText("A number", { exact: true }).click();
  await page.getByLabel("How many").fill("6");
  await expect(summaryOf(page)).toContainText("6 videos from 7 clips");
  await page.getByText("Each in turn", { exact: true }).click();
  await expect(summaryOf(page)).toContainText("3 videos from 7 clips");
  await page.reload();
  await expect(summaryOf(page)).toContainText("3 videos from 7 clips");
  await page.getByRole("button", { name: "Use single videos" }).click();
  await expect(page.getByRole("grid", { name: "Videos" })).toHaveAttribute("aria-rowcount", "7");
  expect(unexpectedErrors(errors)).toEqual([]);
});

// spec 2.19.2
test("an excluded pair stays excluded when clips before it are removed, and goes with its clip", async ({ page }) => {
  const errors = await openSlots(page);
  await page.getByRole("button", { name: "Show 12 combinations" }).click();
  const last = page.getByRole("list", { name: "Combinations" }).getByRole("listitem").last();
  await last.getByRole("button", { name: "Exclude a pair" }).click();
  await page.getByRole("menuitem", { name: "Hook 2 with Ending 3" }).click();
  await expect(summaryOf(page)).toContainText("10 videos from 7 clips");
  await page.getByRole("button", { name: "Remove hook-1.mp4 from Hook" }).click();
  await expect(page.getByRole("list", { name: "Excluded pairs" })).toContainText("Not Hook 1 with Ending 3");
  await expect(summaryOf(page)).toContainText("4 videos from 6 clips");
  await page.getByRole("button", { name: "Remove ending-3.mp4 from Ending" }).click();
  await expect(page.getByRole("list", { name: "Excluded pairs" })).toHaveCount(0);
  await expect(summaryOf(page)).toContainText("1 × 2 × 2 = 4 videos from 5 clips");
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("the joined preview plays each clip at its speed", async ({ page }) => {
  await fulfillPreflight(page);
  const errors = await signIn(page, clipmill.url);
  const { data: library } = await client.functions.invoke<{ data: LibraryFile[] }>("library", {
    body: { method: "GET" },
  });
  const [one, two] = library!.data.filter(({ kind }) => kind === "video").map(({ id }) => libraryLink(id));
  await openJobScreen(page, clipmill.url);
  await paste(page, videoLinksOf(page), `${one}\n${two}`);
  await addFrom(page, "Combine clips in slots");
  await paste(page, slotOf(page, "Body").getByLabel("Links of Body"), one!);
  await page.getByRole("button", { name: "Advanced Options" }).click();
  await page.getByLabel("Speed", { exact: true }).fill("0.5");
  await slotOf(page, "Hook").getByRole("button", { name: /^Trim/ }).first().click();
  await slotOf(page, "Hook").getByLabel("Speed (×)").fill("2");
  await page.getByRole("button", { name: "Show 2 combinations" }).click();
  for (const [combination, rate] of [2, 0.5].entries()) {
    await page.getByRole("button", { name: `Play combination ${combination + 1}` }).click();
    const preview = page.getByRole("dialog");
    await expect
      .poll(() => preview.locator("video").evaluate((video: HTMLVideoElement) => video.playbackRate))
      .toBe(rate);
    await preview.getByRole("button", { name: "Close" }).last().click();
    await expect(preview).toHaveCount(0);
  }
  expect(unexpectedErrors(errors)).toEqual([]);
});

// spec 2.19.3
test("a name that another slot has, and a slot without clips, keep Start off and say why", async ({ page }) => {
  const errors = await openSlots(page);
  await slotOf(page, "Body").getByLabel("Name of slot 2").fill("hook");
  await expect(summaryOf(page).getByText('Two slots are named "hook".')).toBeVisible();
  await expect(startOf(page)).toBeDisabled();
  await page.getByLabel("Name of slot 2").fill("Story");
  for (const name of ["body-1.mp4", "body-2.mp4"]) {
    await page.getByRole("button", { name: `Remove ${name} from Story` }).click();
  }
  await expect(summaryOf(page).getByText('The slot "Story" has no clips.')).toBeVisible();
  expect(unexpectedErrors(errors)).toEqual([]);
});
