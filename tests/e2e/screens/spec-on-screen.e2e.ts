/** SPEC sections 1, 2, 4 and 5, where a test needs a full browser. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { hasEnded, readJob, readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import { DRIVE, openJobScreen, startOf } from "#tests/support/browser/job-screen.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, startSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";
import { paths } from "../../../src/web/app/routing/paths.ts";

const JOB = "7f3a91c2-0000-4000-8000-000000000000";
const SEGMENT_SECONDS = 2;

let site: Server;
let clipmill: SeededClipmill;

test.beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end('<!doctype html><html lang="en"><title>Robot</title><h1>The robot itself</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  clipmill = await startSeededClipmill({ WARMUP_ROBOT_URL: `http://127.0.0.1:${port}/robot` });
});
test.afterAll(async () => {
  await clipmill.stop();
  site.closeAllConnections();
  site.close();
});

// spec 2.1.1
test("signed out, every address shows only the sign-in form", async ({ page }) => {
  const errors = watchConsole(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const address of [...Object.values(paths), "/no-such-page"]) {
    await page.goto(clipmill.url + address.replace("$jobId", JOB));
    await expect(page.getByLabel("Email")).toHaveAttribute("type", "email");
    await expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
    for (const role of ["navigation", "complementary", "link", "list", "table", "tablist"] as const) {
      await expect(page.getByRole(role)).toHaveCount(0);
    }
    // The only heading is the product's logo.
    await expect(page.getByRole("heading")).toHaveCount(1);
    await expect(page.locator("iframe")).toHaveCount(0);
  }
  // The form requests no data.
  expect(asked.filter((path) => path.startsWith("/rest/") || path.startsWith("/functions/"))).toEqual([]);
  expect(errors).toEqual([]);
});

test("the API reference's list of sections leads to each", async ({ page }) => {
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}${paths.apiReference}`);
  const sections = page.getByRole("navigation", { name: "Sections" });
  const heading = page.getByRole("heading", { name: "Error codes" });
  await expect(heading).not.toBeInViewport();
  await sections.getByRole("link", { name: "Error codes" }).click();
  await expect(heading).toBeInViewport();
  expect(await sections.getByRole("link").count()).toBeGreaterThan(3);
});

// spec 2.10.1
test("the Warmup Robot screen embeds a page of another site", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/warmup-automation`);
  await expect(page.getByRole("heading", { level: 1, name: "Warmup Robot" })).toBeVisible();
  await expect(page.getByText("Automate your account warmup and engagement processes")).toBeVisible();
  const inside = page.getByTitle("Warmup Robot").contentFrame();
  await expect(inside.getByRole("heading", { name: "The robot itself" })).toBeVisible();
  expect(errors).toEqual([]);
});

// spec 4.3.1
test("starting a job shows the number of videos at progress 0 before the server responds", async ({ page }) => {
  await signIn(page, clipmill.url);
  const gate = Promise.withResolvers<void>();
  await page.route("**/functions/v1/jobs", async (route) => {
    if (route.request().postDataJSON()?.job_name) await gate.promise;
    await route.continue();
  });
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Two of them");
  await page.getByRole("textbox", { name: "Video links" }).fill(`${DRIVE}/one/view\n${DRIVE}/two/view`);
  await startOf(page).click();
  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress.getByText("Starting processing of 2 video(s)...", { exact: true })).toBeVisible();
  await expect(progress.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "0");
  gate.resolve();
  await expect(page.getByText("Processing 2 video(s) with 1 variant(s) each")).toBeVisible();
});

// spec 5.7, 9.12
test("a segment duration that is blank, not a number or below 1 becomes 10 on blur", async ({ page }) => {
  await signIn(page, clipmill.url);
  await openSegmentation(page, "Single");
  const duration = page.getByLabel("Segment duration");
  await expect(duration).toHaveValue("30");
  for (const wrong of ["", "   ", "abc", "0", "-3", "0.5"]) {
    await duration.fill(wrong);
    await duration.blur();
    await expect(duration).toHaveValue("10");
  }
  await duration.fill("1");
  await duration.blur();
  await expect(duration).toHaveValue("1");
});

for (const type of ["single", "multiple"] as const) {
  // spec 2.4.8
  test(`a job uses the ${type} segmentation chosen on the screen`, async ({ page }) => {
    const client = await signedInClient(clipmill.url);
    await expect.poll(async () => (await readLibrary(client)).isReady, { timeout: 60_000 }).toBe(true);
    const { data: files } = await readLibrary(client);
    const clip = files
      .filter(({ kind }) => kind === "video")
      .toSorted((a, b) => b.durationSeconds - a.durationSeconds)[0]!;
    await signIn(page, clipmill.url);
    await openSegmentation(page, type === "single" ? "Single" : "Multiple");
    await page.getByLabel("Segment duration").fill(String(SEGMENT_SECONDS));
    await page.getByText("Draft", { exact: true }).click();
    await page.getByLabel("Job name").fill(`Cut ${type}`);
    await page.getByRole("textbox", { name: "Video links" }).fill(clip.link);
    const created = page.waitForResponse(
      (response) => response.url().endsWith("/jobs") && response.request().postDataJSON()?.job_name === `Cut ${type}`,
    );
    await startOf(page).click();
    const { id } = (await (await created).json()).data;
    expect(await readJob(client, id)).toMatchObject({ segmentation_type: type, segment_duration: SEGMENT_SECONDS });
    await expect.poll(() => hasEnded(client, id), { timeout: 60_000 }).toBe(true);
    const { data } = await client.from("job_outputs").select("*").eq("job_id", id).order("segment");
    const outputs = data as JobOutput[];
    expect(outputs.map(({ status }) => status)).toEqual(outputs.map(() => "Completed"));
    const segments = type === "single" ? 1 : countSegments(clip.durationSeconds);
    expect(outputs.map(({ segment }) => segment)).toEqual(Array.from({ length: segments }, (_, i) => i));
    expect(outputs[0]!.duration_seconds).toBeCloseTo(SEGMENT_SECONDS, 0);
    const total = outputs.reduce((sum, output) => sum + output.duration_seconds!, 0);
    expect(Math.abs(total - (type === "single" ? SEGMENT_SECONDS : clip.durationSeconds))).toBeLessThan(0.5);
  });
}

/** A rest of less than a second joins the previous segment. */
function countSegments(seconds: number): number {
  const rest = seconds % SEGMENT_SECONDS;
  return Math.floor(seconds / SEGMENT_SECONDS) + (rest >= 1 ? 1 : 0);
}

async function openSegmentation(page: Page, choice: string): Promise<void> {
  await openJobScreen(page, clipmill.url);
  await page.getByRole("button", { name: /Advanced Options/ }).click();
  await page.getByText(choice, { exact: true }).click();
}
