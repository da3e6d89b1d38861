/** Covers links from the form through their clicks on the job's page to the list in Cloak Manager. */
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { sql } from "kysely";
import { TERMINAL } from "#operations/audit/write-audit.ts";
import { daysAgo } from "#operations/cloak/read-cloak-state.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import {
  DRIVE,
  expectError,
  fillVideoLinks,
  openAdvanced,
  openJobScreen,
  startOf,
  unexpectedErrors,
} from "#tests/support/browser/job-screen.ts";
import { type LinkedJob, startLinkedJob } from "#tests/support/jobs/linked-job.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const ROUTES = 10_000;

let clipmill: SeededClipmill;
let job: LinkedJob;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  const { db } = clipmill;
  const context = { ...clipmill.context, actor: TERMINAL };
  job = await startLinkedJob(context, {
    ...{ videos: 2, variants: 2, link_slug_pattern: "spring/{variant}" },
    link_utm: "utm_source=tiktok&utm_content={name}-{variant}",
  });
  await job.end();
  await sql`
    insert into route_counts (route_id, day, source, redirects)
    select routes.id, ${daysAgo(0)}::date - day, 'a', 10 * variant + day
    from routes join job_outputs on job_outputs.id = output_id, generate_series(1, 9) as day`.execute(db);
});

test("the job's page shows each link with its clicks, and what still has to be done", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${job.jobId}`);
  await expect(page.getByText("These links do not work yet. Publish them in Cloak Manager.")).toBeVisible();
  const panel = page.getByRole("button", { name: /^Links/ });
  await expect(panel).toHaveText(/4 links, 360 clicks, 360 in 30 days/);
  await panel.click();
  await expect(page.getByRole("list", { name: "Clicks per variant" }).getByRole("listitem")).toHaveText([
    "Variant 1 0 today, 90 in 30 days, 90 in total",
    "Variant 2 0 today, 270 in 30 days, 270 in total",
  ]);
  const row = page.getByRole("table", { name: "Links" }).getByRole("row").nth(1);
  await row.getByRole("button", { name: /^Copy the link for / }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("https://shop.test/spring/1");
  await expectAccessible(page, "links of a job");
  await page.getByRole("button", { name: "Copy the tracked link for 002-v2-Clip.mp4" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("https://shop.test/spring/2-2");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines[1]).toContain(
    "001-v1-Clip.mp4,1,1,1,https://shop.test/spring/1,https://target.test/001?v=1&utm_source=",
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  expect(errors).toEqual([]);
});

test("the form checks the links and shows the first one", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Spring drop");
  await openAdvanced(page);
  await page.getByRole("switch", { name: "Make a link for each file" }).click();
  await expect(page.getByRole("combobox", { name: "Link domain" })).toHaveText("shop.test");
  await page.getByLabel("Link target").fill("https://target.test/{name");
  await expect(page.getByText('A "{" in the link target has no "}"; write "{{" for a brace')).toBeVisible();
  await page.getByLabel("Link target").fill("https://target.test/{position}");
  await page.getByLabel("UTM fields").fill("utm_campaign={job}");
  await page.getByLabel("Slug pattern").fill("{job}/{variant}");
  await expect(page.getByText("https://shop.test/Spring-drop/1", { exact: true })).toBeVisible();
  await expect(page.getByText("https://target.test/001?utm_campaign=Spring%20drop")).toBeVisible();
  await expectAccessible(page, "link fields");
  await page.getByRole("button", { name: "Clear draft" }).click();
  await expect(page.getByLabel("Job name")).toHaveValue("");
  await expect(page.getByRole("switch", { name: "Make a link for each file" })).not.toBeChecked();
  expect(errors).toEqual([]);
});

test("a job with links starts only with a domain, which the form chooses once the domains load", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Summer drop");
  await fillVideoLinks(page, `${DRIVE}/summer/view`);
  // A status that is not retried.
  await page.route("**/rest/v1/domains*", (route) => route.fulfill({ status: 400 }), { times: 1 });
  await openAdvanced(page);
  await page.getByRole("switch", { name: "Make a link for each file" }).click();
  await startOf(page).click();
  await expectError(page, "Link Domain Required", "Choose a domain for the links");
  await page.reload();
  await openAdvanced(page);
  await expect(page.getByRole("combobox", { name: "Link domain" })).toHaveText("shop.test");
  await startOf(page).click();
  await expectError(page, "Link Target Required", "Enter the address to which the links lead");
  expect(unexpectedErrors(errors)).toEqual([]);
});

test(`Cloak Manager lists and searches ${ROUTES.toLocaleString("en")} routes`, async ({ page }) => {
  await sql`insert into routes (domain_id, slug, primary_url)
    select ${job.domainId}::uuid, 'many-' || i, 'https://target.test/' || i from generate_series(1, ${ROUTES}::int) as i`.execute(
    clipmill.db,
  );
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/cloak-manager?tab=routes`);
  const table = page.getByRole("table", { name: "Routes" });
  await expect(table).toHaveAttribute("aria-rowcount", String(ROUTES + 5));
  expect(await table.getByRole("row").count()).toBeLessThan(200);
  await page.getByLabel("Search routes").fill("many-9876");
  await expect(table.getByRole("row")).toHaveCount(2);
  await page.getByLabel("Search routes").fill("spring/2-2");
  await expect(table.getByRole("row")).toHaveCount(2);
  expect(errors).toEqual([]);
});
