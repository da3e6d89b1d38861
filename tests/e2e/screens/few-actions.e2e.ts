/** Counts what an operator does and sees: actions from the videos to Start, and controls of the form. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Job } from "#contract/jobs/jobs.ts";
import {
  audioLinksOf,
  captionsOf,
  DRIVE,
  expectVideos,
  openJobScreen,
  paste,
  startOf,
  toastOf,
  unexpectedErrors,
  videoLinksOf,
} from "#tests/support/browser/job-screen.ts";
import { fulfillPreflight } from "#tests/support/browser/preflight.ts";
import { openDashboard, signIn } from "#tests/support/browser/screens.ts";
import { createJob, signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const LINKS = [1, 2, 3, 4].map((number) => `${DRIVE}/clip-${number}/view`);

let clipmill: SeededClipmill;
let client: SupabaseClient;
let actions: number;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  client = await signedInClient(clipmill.url);
});

test.beforeEach(async ({ page }) => {
  actions = 0;
  await fulfillPreflight(page);
});

test("paste on the Dashboard to Start: two actions", async ({ page }) => {
  const errors = await openDashboard(page, clipmill.url);
  await expect(page.getByLabel("Paste links or drop files")).toBeVisible();
  await act(() => pasteAnywhere(page, LINKS[0]!));
  await start(page, 1);
  expect(actions).toBe(2);
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("four videos with captions: four actions", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await act(() => paste(page, videoLinksOf(page), LINKS.join("\n")));
  await expectVideos(page, 4);
  await expect(page.getByRole("button", { name: "Edit as text" })).toBeFocused();
  await act(() => page.getByRole("switch", { name: "Captions", exact: true }).check());
  await act(() => captionsOf(page).fill("POV: it is Monday\nWait for the pour"));
  const job = await start(page, 4);
  expect(actions).toBe(4);
  expect(job).toMatchObject({ input_videos: LINKS, captions_enabled: true });
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("forty rows of a CSV file on the Dashboard: at most four actions", async ({ page }) => {
  const errors = await openDashboard(page, clipmill.url);
  const target = page.getByLabel("Paste links or drop files");
  const rows = Array.from({ length: 40 }, (_, index) => `${DRIVE}/row-${index}/view,Caption ${index}`);
  const dataTransfer = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "videos.csv", { type: "text/csv" }));
      return transfer;
    },
    ["link,caption", ...rows].join("\n"),
  );
  await act(() => target.dispatchEvent("drop", { dataTransfer }));
  await act(() => page.getByRole("button", { name: "Use 40 rows" }).click());
  await expectVideos(page, 40);
  await start(page, 40);
  expect(actions).toBeLessThanOrEqual(4);
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("the same job with other videos, from its page: three actions; the first pasted links replace those of the copied job", async ({
  page,
}) => {
  const errors = await signIn(page, clipmill.url);
  const { id } = await createJob(client, { job_name: "Weekly", input_videos: LINKS, variants_per_video: 3 });
  await page.goto(`${clipmill.url}/jobs/${id}`);
  await act(() => page.getByRole("link", { name: "Duplicate" }).click());
  await expectVideos(page, 4);
  await act(() => pasteAnywhere(page, `${DRIVE}/other/view`));
  await expectVideos(page, 1);
  await toastOf(page, "Videos Replaced").getByRole("button", { name: "Undo" }).click();
  await expectVideos(page, 4);
  await pasteAnywhere(page, `${DRIVE}/other/view`);
  await expectVideos(page, 1);
  // A second paste adds.
  await pasteAnywhere(page, `${DRIVE}/another/view`);
  const job = await start(page, 2);
  expect(actions).toBe(3);
  expect(job).toMatchObject({
    input_videos: [`${DRIVE}/other/view`, `${DRIVE}/another/view`],
    variants_per_video: 3,
  });
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("the first S3 destination with its connection: at most nine actions in one sheet", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings#destinations`);
  await act(() => page.getByRole("button", { name: "New destination" }).click());
  const sheet = page.getByRole("dialog", { name: "New destination" });
  await act(() => sheet.getByRole("combobox", { name: "Kind" }).click());
  await act(() => page.getByRole("option", { name: "S3 bucket" }).click());
  await act(() => sheet.getByLabel("Region").fill("eu-west-1"));
  await act(() => sheet.getByLabel("Access key ID").fill("AKIA0123"));
  await act(() => sheet.getByLabel("Secret access key").fill("a-secret"));
  await act(() => sheet.getByLabel("Bucket", { exact: true }).fill("clips"));
  await act(() => sheet.getByRole("button", { name: "Add destination" }).click());
  await expect(sheet).toHaveCount(0);
  expect(actions).toBeLessThanOrEqual(9);
  const destinations = page.getByRole("region", { name: "Destinations" }).getByRole("listitem");
  await expect(destinations).toContainText("S3 bucket clips/{job}");
  await expect(page.getByRole("region", { name: "Connections" }).getByRole("listitem")).toContainText("S3");
  const [connection] = await clipmill.db.selectFrom("connections").select(["id", "name", "kind"]).execute();
  expect(connection).toMatchObject({ name: "S3", kind: "s3" });
  expect(await clipmill.db.selectFrom("destinations").select(["name", "connection_id"]).execute()).toEqual([
    { name: "clips", connection_id: connection!.id },
  ]);
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("the empty form shows 12 controls, and 40 with everything on and four videos", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await expect(page.getByRole("button", { name: "Use sample clips" })).toBeVisible({ timeout: 60_000 });
  expect((await controlsOf(page)).length).toBeLessThanOrEqual(12);
  await paste(page, videoLinksOf(page), LINKS.join("\n"));
  await expectVideos(page, 4);
  for (const section of ["Captions", "Background Music", "Watermark"]) {
    await page.getByRole("switch", { name: section, exact: true }).check();
  }
  await captionsOf(page).fill("POV: it is Monday\nWait for the pour");
  await audioLinksOf(page).fill(`${DRIVE}/track/view`);
  await page.getByLabel("Watermark text").fill("@clipmill");
  await expect(page.getByRole("slider", { name: "Caption position" })).toBeVisible();
  await page.mouse.move(0, 0);
  const controls = await controlsOf(page);
  expect(controls.length, controls.join("\n")).toBeLessThanOrEqual(40);
  expect(unexpectedErrors(errors)).toEqual([]);
});

async function act(action: () => Promise<unknown>): Promise<void> {
  actions += 1;
  await action();
}

async function pasteAnywhere(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("Control+V");
}

/** Starts without waiting for more than a user would, and returns the job. */
async function start(page: Page, videos: number): Promise<Job> {
  await expectVideos(page, videos);
  await expect(startOf(page)).toBeEnabled();
  const created = page.waitForResponse(
    (response) => response.url().endsWith("/functions/v1/jobs") && response.request().postDataJSON()?.job_name,
  );
  await act(() => startOf(page).click());
  const { id } = ((await (await created).json()) as { data: Job }).data;
  await expect(page.getByRole("link", { name: "Open job" })).toBeVisible();
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: id } });
  return (await client.from("jobs").select("*").eq("id", id).single<Job>().throwOnError()).data;
}

/** Returns the name of each control that is seen without pointing at anything. */
function controlsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("form :is(a[href], button, input, select, textarea, [role=slider])")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map(
        (control) => control.ariaLabel ?? (control as HTMLInputElement).labels?.[0]?.textContent ?? control.innerText,
      ),
  );
}
