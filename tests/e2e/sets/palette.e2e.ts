/** The palette, global shortcuts and the focus, with the keyboard only. */
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { DRIVE } from "#tests/support/browser/job-screen.ts";
import { createJob, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { signIn } from "#tests/support/browser/screens.ts";

test.use({ reducedMotion: "no-preference" });

let clipmill: SeededClipmill;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  const client = await signedInClient(clipmill.url);
  const captions = ["One"];
  await client.from("caption_sets").insert({ name: "Harbour 100% openers", captions }).throwOnError();
  await client
    .from("audio_sets")
    .insert({ name: "Harbour music", audio_links: ["track"] })
    .throwOnError();
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
  await page.goto(clipmill.url);
  await expect(page.getByRole("banner")).toBeVisible();
});

test.afterEach(() => {
  expect(errors).toEqual([]);
});

test("Ctrl+K finds a page by its name, and Enter opens it", async ({ page }) => {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find a job, set or page" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("caption l");
  await expect(palette.getByRole("option", { name: "Caption Lab" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${clipmill.url}/auto-caption`);
  await expect(palette).toBeHidden();
});

test("part of a name with special characters finds a set, and Enter opens its screen filtered to it", async ({
  page,
}) => {
  await page.getByRole("button", { name: "Find a job, set or page" }).click();
  const palette = page.getByRole("dialog");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("100% open");
  await expect(palette.getByRole("option")).toHaveText(["Harbour 100% openersCaption set"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/caption-sets\?search=Harbour/);
});

test("the palette can cancel a running job after confirmation and open the password dialog", async ({ page }) => {
  const client = await signedInClient(clipmill.url);
  const link = "https://drive.google.com/file/d/nobody-has-this/view";
  await client.functions.invoke("system", { body: { action: "pause-queue" } });
  const { data } = await client.functions.invoke<{ data: Job }>("jobs", {
    body: { job_name: "Harbour at night", input_videos: [link] },
  });
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("cancel harb");
  await expect(page.getByRole("option").first()).toContainText("Cancel Harbour at night");
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Cancel this job?" });
  await question.getByRole("button", { name: "Cancel job" }).click();
  await expect(page.getByText("The job has been successfully cancelled.")).toBeVisible();
  expect(await readJob(client, data!.data.id)).toMatchObject({ status: "Cancelled" });
  await client.functions.invoke("system", { body: { action: "resume-queue" } });

  await expect(question).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("change pass");
  await expect(page.getByRole("option", { name: "Change password" })).toBeVisible();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change password" });
  await expect(dialog.getByLabel("Current password")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${clipmill.url}/settings/account`);
});

test("a section of Settings, a new destination and the queue are a few keys away", async ({ page }) => {
  const run = async (typed: string, option: string) => {
    const field = page.getByRole("combobox", { name: "Find a job, set or page" });
    await page.keyboard.press("Control+k");
    await expect(field).toBeFocused();
    await page.keyboard.type(typed);
    await expect(page.getByRole("option").first()).toContainText(option);
    await page.keyboard.press("Enter");
    // While it closes, its field would take what is typed next.
    await expect(field).toHaveCount(0);
  };
  await run("webhooks", "Webhooks");
  await expect(page).toHaveURL(`${clipmill.url}/settings/automation#webhooks`);
  await expect(page.getByRole("heading", { name: "Webhooks", exact: true })).toBeInViewport();
  await run("new dest", "New destination");
  const sheet = page.getByRole("dialog", { name: "New destination" });
  await expect(sheet.getByLabel("Name", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${clipmill.url}/settings/sources`);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await run("pause q", "Pause queue");
  await expect(page.getByText("Queue Paused")).toBeVisible();
  await run("resume q", "Resume queue");
  await expect(page.getByText("Queue Resumed")).toBeVisible();
});

test("a job is found by the caption of a row, and shows it", async ({ page }) => {
  const client = await signedInClient(clipmill.url);
  await client.functions.invoke("system", { body: { action: "pause-queue" } });
  const { data } = await client.functions.invoke<{ data: Job }>("jobs", {
    body: {
      job_name: "Monday drop",
      captions_enabled: true,
      rows: [
        {
          link: "https://drive.google.com/file/d/nobody-has-this/view",
          settings: { custom_captions: ["Wait for the lighthouse to blink"] },
        },
      ],
    },
  });
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("lighthouse to bl");
  await expect(page.getByRole("option").first()).toContainText("Monday dropWait for the lighthouse to blink");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${clipmill.url}/jobs/${data!.data.id}`);
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: data!.data.id } });
  await client.functions.invoke("system", { body: { action: "resume-queue" } });
});

test("a search without results shows a message, and Escape returns the focus", async ({ page }) => {
  const button = page.getByRole("button", { name: "Find a job, set or page" });
  await button.click();
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("qwertyuiop");
  await expect(page.getByText("No results.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(button).toBeFocused();
});

test("presets and watch folders are two keys away, and a row's actions one", async ({ page }) => {
  const client = await signedInClient(clipmill.url);
  const { id } = await createJob(client, { job_name: "By keys", input_videos: [`${DRIVE}/by-keys/view`] });
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: id } });
  for (const [key, path] of [
    ["p", "presets"],
    ["w", "watch-folders"],
    ["h", "job-history"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(`${clipmill.url}/${path}`);
  }
  const job = page.getByRole("link", { name: "By keys" });
  await expect(page.getByRole("button", { name: "More actions for By keys" })).toBeEnabled();
  await job.focus();
  await page.keyboard.press(".");
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: "Duplicate" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(menu.locator("[role=menuitem]:focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  // A set's card has buttons instead of a menu.
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  const card = page.getByRole("listitem").filter({ hasText: "Harbour 100% openers" });
  await card.getByRole("button").last().focus();
  await page.keyboard.press(".");
  await expect(card.getByRole("button").first()).toBeFocused();
});

test("letter shortcuts open screens, but not while typing", async ({ page }) => {
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page).toHaveURL(`${clipmill.url}/job-history`);
  const search = page.getByRole("searchbox");
  await expect(search).toBeVisible();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("gd?");
  await expect(search).toHaveValue("gd?");
  await expect(page).toHaveURL(/job-history/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("axe finds no issues in the palette and the help sheet", async ({ page }) => {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessible(page, "palette");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectAccessible(page, "help sheet");
});
