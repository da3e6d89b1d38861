/**
 * Every screen fits its window (also at 400 % zoom), passes axe, logs nothing to the console, does not move while it
 * loads, and has targets for fingers on a phone.
 */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { LibraryResponse } from "#contract/calls.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { takeLayoutShift, watchLayoutShift } from "#tests/support/browser/layout-shift.ts";
import { settle } from "#tests/support/browser/settle.ts";
import { shortTargets } from "#tests/support/browser/short-targets.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

/** 320 px is 1280 px at 400 % zoom. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 320, height: 256 },
];
const PHONE_WIDTH = 390;
const MAX_LAYOUT_SHIFT = 0.05;
const LONG = "Harbour😀".repeat(24);
const RIGHT_TO_LEFT = "شاهد حتى النهاية ثم احفظ الفيديو";
const LIBRARY_LINK = "https://clipmill.local/file/d/absent";

let clipmill: ClipmillProcess;
let jobId: string;

test.beforeAll(async () => {
  clipmill = await startTemporaryClipmill();
  jobId = await addLongTexts();
});

test.afterAll(() => clipmill.stop());

test("no screen moves while it loads, and a finger hits every target on a phone", async ({ page }) => {
  await watchLayoutShift(page);
  await injectSession(page, clipmill.url);
  const moved: string[] = [];
  const short: string[] = [];
  for (const { width, height } of SIZES.slice(0, 2)) {
    await page.setViewportSize({ width, height });
    for (const address of addresses()) {
      await page.goto(clipmill.url + address);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
      await settle(page);
      const shift = await takeLayoutShift(page);
      if (shift >= MAX_LAYOUT_SHIFT) moved.push(`${address} at ${width} px: ${shift.toFixed(3)}`);
      if (width === PHONE_WIDTH) short.push(...(await shortTargets(page)).map((target) => `${address}: ${target}`));
    }
  }
  expect.soft(moved).toEqual([]);
  expect.soft(short).toEqual([]);
});

test("every screen fits long names at every size in both themes", async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(clipmill.url);
  await expectSound(page, "sign-in");
  await injectSession(page, clipmill.url);
  for (const address of addresses()) {
    await page.goto(clipmill.url + address);
    await expect(page.getByRole("banner")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectSound(page, address);
  }
  expect(errors).toEqual([]);
});

function addresses(): string[] {
  return [
    "/",
    "/video-processing",
    "/caption-sets",
    "/audio-sets",
    "/presets",
    "/library",
    "/library?search=nothing%20like%20it",
    "/job-history",
    "/job-history?search=nothing%20like%20it",
    `/jobs/${jobId}`,
    `/jobs/${jobId}/review`,
    "/auto-caption",
    "/transcripts",
    "/watch-folders",
    "/cloak-manager",
    "/api-reference",
    "/cloak-manager?tab=routes",
    "/bulk-scheduler",
    "/warmup-automation",
    "/settings/general",
    "/settings/sources",
    "/settings/account",
    "/settings/automation",
    "/settings/system",
    "/no/such/page",
  ];
}

async function expectSound(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await settle(page);
    const tooWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(tooWide, `${name} is too wide by so many pixels at ${size.width} px`).toBeLessThanOrEqual(0);
    await expectAccessible(page, `${name} at ${size.width} px`);
  }
}

/** Returns the id of a failed job. */
async function addLongTexts(): Promise<string> {
  const client = await signedInClient(clipmill.url);
  for (const name of [LONG.slice(0, 200), RIGHT_TO_LEFT]) {
    await client
      .from("caption_sets")
      .insert({ name, captions: [LONG, RIGHT_TO_LEFT] })
      .throwOnError();
    await client
      .from("audio_sets")
      .insert({ name, audio_links: [LIBRARY_LINK] })
      .throwOnError();
  }
  const { data: library } = await client.functions.invoke<LibraryResponse>("library", { body: { method: "GET" } });
  for (const { id } of library!.data.slice(0, 1)) {
    const tags = Array.from({ length: 20 }, (_, place) => `${place} ${LONG}`.slice(0, 38));
    await client.functions.invoke("library", { body: { method: "PATCH", id, name: LONG.slice(0, 200), tags } });
  }
  const label = "a".repeat(60);
  const domain = { name: `${label}.${label}.example`, notes: LONG };
  const { data } = await client.from("domains").insert(domain).select("id").single().throwOnError();
  const route = { domain_id: data.id, slug: label, primary_url: `https://example.com/${label}` };
  await client
    .from("routes")
    .insert({ ...route, fallback_url: null, active: true })
    .throwOnError();
  await createJob(client, { job_name: RIGHT_TO_LEFT, input_videos: [LIBRARY_LINK] });
  const job = await createJob(client, {
    job_name: LONG.slice(0, 200),
    input_videos: [LIBRARY_LINK],
    captions_enabled: true,
    custom_captions: [LONG, RIGHT_TO_LEFT],
    // The longest captions fit only with these settings.
    caption_position: "middle",
    caption_size: "small",
  });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  return job.id;
}
