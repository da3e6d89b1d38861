/** Mocks the function preflight, except in the last test. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import {
  DRIVE,
  expectVideos,
  openJobScreen,
  paste,
  startOf,
  toastOf,
  unexpectedErrors,
  writeVideoLinks,
} from "#tests/support/browser/job-screen.ts";
import { fulfillPreflight, PENDING, problem } from "#tests/support/browser/preflight.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";

let folder: string;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let twin: DriveTwin;
let errors: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-video-list-"));
  twin = await startDriveTwin();
  clipmill = await startInstalledClipmill(path.join(folder, "data"), twin.environment);
  client = await signedInClient(clipmill.url);
  await client.functions.invoke("settings", { body: { source_hosts: ["web"] } });
});

test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
  await rm(folder, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
});

test.afterEach(() => {
  expect(unexpectedErrors(errors)).toEqual([]);
});

const field = (page: Page): Locator => page.getByLabel("Video links");
const grid = (page: Page): Locator => page.getByRole("grid", { name: "Videos" });
const rows = (page: Page): Locator => grid(page).getByRole("row");
const rowOf = (page: Page, name: string): Locator => rows(page).filter({ hasText: name });
const linksIn = async (page: Page): Promise<string[]> => (await field(page).inputValue()).split("\n");
const drive = (id: string) => `${DRIVE}/${id}/view`;

/** Nine kinds of bad links, each with its message. */
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

// spec 2.13.1, 2.13.2, 2.13.3, 2.13.5, 2.13.10
test("all bad videos of 80 are named with what to do and removed at once; the rest is exact in the plan, and starts", async ({
  page,
}) => {
  const good = [
    ...Array.from({ length: 41 }, (_, index) => drive(`clip-${index + 1}`)),
    ...Array.from({ length: 30 }, (_, index) => `https://site.example/web-${index + 1}.mp4`),
  ];
  const all = [...good];
  for (const [index, link] of [...BAD.keys()].entries()) all.splice(index * 8, 0, link);
  const calls = await fulfillPreflight(page, (link, times) => {
    if (times === 1 && link.includes("clip-1")) return PENDING;
    const sentence = BAD.get(link);
    return sentence === undefined ? null : problem(sentence);
  });
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Eighty");
  await paste(page, field(page), all.join("\n"));
  await expect(page.getByText("71 ready · 9 with problems").first()).toBeVisible();
  // One call for all, then only calls for those that were pending.
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
  await page.getByText("Multiple", { exact: true }).click();
  await page.getByLabel("Segment duration").fill("10");
  await expect(plan.getByText("216", { exact: true })).toBeVisible();
  await startOf(page).dblclick();
  await expect(page.getByText("Job Started")).toBeVisible();
  const { data } = await client.from("jobs").select("id,input_videos").eq("job_name", "Eighty");
  expect(data).toHaveLength(1);
  expect(data![0]!.input_videos).toEqual([drive("private"), ...good]);
  await expect(grid(page)).toHaveCount(0);
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: data![0]!.id as string } });
});

// spec 2.13.6, 2.13.8, 2.13.9
test("the keyboard alone reorders, selects, removes and undoes, and the preview follows", async ({ page }) => {
  await fulfillPreflight(page, (link) => (link.includes("many") ? { ok: false, files: LISTED } : null));
  await openJobScreen(page, clipmill.url);
  const names = async () => (await linksIn(page)).map((link) => link.split("/").at(-2));
  await writeVideoLinks(page, ["a", "b", "c", "d", "e"].map(drive).join("\n"));
  await expect(rows(page)).toHaveCount(5);
  const sort = page.getByRole("button", { name: "Sort videos" });
  // Disabled, and therefore not focusable, until its menu is loaded.
  await expect(sort).toBeEnabled();
  await sort.focus();
  await page.keyboard.press("Tab");
  await expect(rowOf(page, "a.mp4")).toBeFocused();
  for (const key of ["ArrowDown", "Alt+ArrowDown", "Alt+ArrowDown"]) await page.keyboard.press(key);
  expect((await names()).join("")).toBe("acdbe");
  await expect(rowOf(page, "b.mp4")).toBeFocused();
  await expect(page.getByRole("status").getByText("b.mp4 moved to position 4 of 5.")).toBeAttached();
  // The preview follows the focused video.
  await expect(page.getByText("Video 4 of 5")).toBeVisible();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page.getByText("Video 3 of 5")).toBeVisible();
  await expect(rowOf(page, "b.mp4")).toHaveAttribute("aria-current", "true");
  // b and d, moved together, then removed together.
  await page.keyboard.press("Shift+ArrowDown");
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.keyboard.press("Alt+ArrowUp");
  expect((await names()).join("")).toBe("abdce");
  await page.keyboard.press("Delete");
  expect((await names()).join("")).toBe("ace");
  await expect(rowOf(page, "c.mp4")).toBeFocused();
  await toastOf(page, "Videos Removed").getByRole("button", { name: "Undo" }).press("Enter");
  expect((await names()).join("")).toBe("abdce");
  await rowOf(page, "d.mp4").focus();
  // The controls of a row: handle, checkbox, remove.
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await expect(page.getByRole("button", { name: "Remove d.mp4" })).toBeFocused();
  await page.keyboard.press("Enter");
  expect((await names()).join("")).toBe("abce");
  await expect(rowOf(page, "c.mp4")).toBeFocused();
  await page.getByRole("button", { name: "Sort videos" }).press("Enter");
  await page.getByRole("menuitem", { name: "Longest first" }).press("Enter");
  await page.getByRole("checkbox", { name: "Select all videos" }).press("Space");
  await page.getByRole("button", { name: "Remove 4" }).press("Enter");
  await expect(field(page)).toBeFocused();
  await expect(grid(page)).toHaveCount(0);

  // With the pointer, shift selects a range and a drag moves it.
  await writeVideoLinks(page, ["a", "b", "c", "d", "e"].map(drive).join("\n"));
  await rowOf(page, "b.mp4").click({ modifiers: ["Control"] });
  await rowOf(page, "c.mp4").click({ modifiers: ["Shift"] });
  const [from, to] = [page.getByRole("button", { name: "Move c.mp4", exact: true }), rowOf(page, "e.mp4")];
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!];
  await page.mouse.move(start.x + 5, start.y + 5);
  await page.mouse.down();
  await page.mouse.move(end.x + 40, end.y + end.height - 4, { steps: 4 });
  await page.mouse.up();
  expect((await names()).join("")).toBe("adebc");
  // A folder becomes its files.
  await page.getByRole("button", { name: "Clear selection" }).click();
  await writeVideoLinks(page, `${drive("a")}\nhttps://drive.google.com/drive/folders/many`);
  await expect(rowOf(page, "12 files")).toBeVisible();
  await expect(page.getByText(/^Line 2 will be skipped/)).toHaveCount(0);
  await expectAccessible(page, "a folder");
  await page.getByRole("button", { name: "Add files" }).dblclick();
  await expectVideos(page, 13);
  await expect(rowOf(page, "part-1.mp4")).toContainText("0:24");
});

const LISTED = Array.from({ length: 12 }, (_, index) => ({
  link: drive(`part-${index + 1}`),
  name: `part-${index + 1}.mp4`,
  size_bytes: 5_000_000,
}));

// spec 2.13.7
test("of 1,000 videos only the visible ones are drawn, and typing elsewhere draws none", async ({ page }) => {
  const calls = await fulfillPreflight(page);
  await openJobScreen(page, clipmill.url);
  await paste(page, field(page), Array.from({ length: 1_000 }, (_, index) => drive(`clip-${index + 1}`)).join("\n"));
  await expect(page.getByText("1,000 ready").first()).toBeVisible();
  expect(calls.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 100));
  expect(await rows(page).count()).toBeLessThan(30);
  await rows(page).first().focus();
  await page.keyboard.press("End");
  await expect(rowOf(page, "clip-1000.mp4")).toBeFocused();
  await expect(page.getByText("Video 1,000 of 1,000")).toBeVisible();
  await page.keyboard.press("Alt+ArrowUp");
  expect((await linksIn(page)).slice(-2)).toEqual([drive("clip-1000"), drive("clip-999")]);
  expect(await rows(page).count()).toBeLessThan(40);
  const changes = await grid(page).evaluateHandle((area) => {
    const seen = { count: 0 };
    new MutationObserver((records) => (seen.count += records.length)).observe(area, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    return seen;
  });
  await page.getByLabel("Job name").clear();
  await page.getByLabel("Job name").pressSequentially("A thousand");
  expect(await changes.evaluate(({ count }) => count)).toBe(0);
});

// spec 2.13.4
test("a lost connection, an older server and a second tab leave the form whole", async ({ page, context }) => {
  const responses = { status: 0 };
  await page.route("**/functions/v1/preflight", (route) =>
    responses.status === 0 ? route.abort() : route.fulfill({ status: responses.status, json: { error: "No." } }),
  );
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Offline");
  await writeVideoLinks(page, [drive("a"), drive("b")].join("\n"));
  await expect(page.getByText("Couldn't check the videos. You can start the job anyway.")).toBeVisible();
  await expect(rows(page)).toContainText(["Drive file a", "Drive file b"]);
  await expect(startOf(page)).toBeEnabled();
  await expectAccessible(page, "videos that could not be checked");
  await page.unroute("**/functions/v1/preflight");
  await fulfillPreflight(page);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("2 ready").first()).toBeVisible();

  // The second tab has the same draft, and removes a video; the first keeps its own list.
  const other = await context.newPage();
  await other.route("**/functions/v1/preflight", (route) => route.fulfill({ status: 404, json: { error: "No." } }));
  await openJobScreen(other, clipmill.url);
  await expect(rows(other)).toHaveCount(2);
  await expect(other.getByText("2 videos").first()).toBeAttached();
  await other.getByRole("button", { name: "Remove Drive file a" }).click();
  await expect(field(other)).toHaveValue(drive("b"));
  expect(await linksIn(page)).toHaveLength(2);
  await expect(other.getByText("Couldn't check the videos")).toHaveCount(0);
  await other.close();
});

test("the server's own responses fill the list", async ({ page }) => {
  const clip = path.join(folder, "beach.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 2 });
  twin.add({ id: "beach", path: clip, name: "beach.mp4", mimeType: "video/mp4" });
  twin.add({ id: "hidden", path: clip, name: "x.mp4", mimeType: "video/mp4", behaviour: { kind: "notShared" } });
  await openJobScreen(page, clipmill.url);
  await writeVideoLinks(page, [twin.links("beach"), twin.links("hidden")].join("\n"));
  await expect(rowOf(page, "beach.mp4")).toContainText(/0:02\s·\s[\d.]+\skB\s·\sPortrait,\s180\s×\s320/);
  await expect(rowOf(page, "beach.mp4").locator("img")).toBeVisible();
  await expect(rows(page).nth(1)).toContainText(/shared/i);
  await expect(page.getByRole("button", { name: "Remove 1 with a problem" })).toBeVisible();
});
