import { readFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { LibraryFile, LibraryResponse } from "#contract/calls.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { audioLinksOf, toastOf } from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { seedJob } from "../../../dev/seed/seed-jobs.ts";

let folder: string;
let clipmill: SeededClipmill;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-library-"));
  clipmill = await shareSeededClipmill();
  client = await signedInClient(clipmill.url);
  await makeClip(path.join(folder, "beach.mp4"), { width: 180, height: 320, seconds: 1 });
  await makeClip(path.join(folder, "street.mp4"), { width: 180, height: 320, seconds: 2, color: "green" });
  await makeTone(path.join(folder, "song.mp3"), { frequencyHz: 440, seconds: 3 });
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
});

test.afterEach(async ({ page }) => {
  // A page that is still loading would ask for rows that are gone.
  await page.goto("about:blank");
  await clipmill.db.deleteFrom("jobs").execute();
  await clipmill.db.deleteFrom("library_files").where("is_sample", "=", false).execute();
  expect(errors).toEqual([]);
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

// spec 2.12.1, 2.12.2, 2.12.3
test("uploads are listed once each, and found by name, kind and order", async ({ page }) => {
  await page.goto(`${clipmill.url}/library`);
  const logo = { name: "logo.png", mimeType: "image/png", buffer: makePng(60, 20, [220, 40, 60, 255]) };
  const [beach, street, song] = await Promise.all(["beach.mp4", "street.mp4", "song.mp3"].map(fileOf));
  await upload(page, [beach!, street!, song!, logo]);
  for (const name of ["beach.mp4", "street.mp4", "song.mp3", "logo.png"]) await expect(rowOf(page, name)).toBeVisible();
  await expect(rowOf(page, "street.mp4")).toContainText("0:02");
  await expect(rowOf(page, "street.mp4")).toContainText("Not used");
  await expect(page.getByRole("list", { name: "Uploads" })).toHaveCount(0);
  await expectAccessible(page, "the library");

  await upload(page, [{ ...beach!, name: "a copy.mp4" }]);
  await expect(toastOf(page, "Already in the Library")).toContainText("has the same content as");
  await expect(rowOf(page, "a copy.mp4")).toHaveCount(0);

  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Videos" }).click();
  await page.getByRole("combobox", { name: "Order" }).click();
  await page.getByRole("option", { name: "Longest first" }).click();
  await page.getByRole("searchbox", { name: "Search the library" }).fill("E");
  await expect(page).toHaveURL(/\/library\?search=E&kind=video&sort=length$/);
  await page.reload();
  await expect(rowOf(page, "logo.png")).toHaveCount(0);
  await expect(rowOf(page, "beach.mp4")).toBeVisible();
  const names = await rowsOf(page).locator("p").allTextContents();
  expect(names.indexOf("street.mp4")).toBeLessThan(names.indexOf("beach.mp4"));
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rowOf(page, "logo.png")).toBeVisible();
});

// spec 2.12.4, 2.12.5, 2.12.6, 2.12.8
test("files are renamed and tagged by keyboard, played, and used in a new job", async ({ page }) => {
  const [beach, , song] = await sendFiles();
  await page.goto(`${clipmill.url}/library`);
  await chooseAction(page, "beach.mp4", "Rename");
  await expect(page.getByRole("textbox", { name: "Name of beach.mp4" })).toBeFocused();
  // The extension stays.
  await page.keyboard.type("Harbor");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "Harbor.mp4")).toBeVisible();
  await chooseAction(page, "Harbor.mp4", "Rename");
  await page.keyboard.type("Nothing");
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "Harbor.mp4")).toBeVisible();

  await client.functions.invoke("library", {
    body: { method: "PATCH", id: song!.id, tags: ["Calm"], name: "Sea.mp3" },
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(rowOf(page, "Sea.mp3")).toContainText("Calm");
  await chooseAction(page, "Harbor.mp4", "Edit tags");
  const dialog = page.getByRole("dialog", { name: "Edit tags" });
  await dialog.getByRole("textbox", { name: "Tags" }).fill(`Summer, summer, ${"x".repeat(41)}`);
  await expect(dialog).toContainText("A tag can have at most 40 characters.");
  await dialog.getByRole("textbox", { name: "Tags" }).fill("Summer, summer");
  await dialog.getByRole("button", { name: "Add Calm" }).click();
  await expectAccessible(page, "the tags dialog");
  await dialog.getByRole("textbox", { name: "Tags" }).press("Enter");
  await expect(rowOf(page, "Harbor.mp4").getByRole("list", { name: "Tags" }).getByRole("listitem")).toHaveText([
    "Summer",
    "Calm",
  ]);
  await page.getByRole("searchbox").fill("calm");
  await expect(rowsOf(page)).toHaveCount(2);

  await rowOf(page, "Harbor.mp4").getByRole("button", { name: "Play Harbor.mp4" }).click();
  const player = page.getByRole("dialog", { name: "Harbor.mp4" });
  await expect.poll(() => player.locator("video").evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(180);
  await player.getByRole("button", { name: "Close" }).press("Escape");
  await rowOf(page, "Sea.mp3").getByRole("button", { name: "Play Sea.mp3" }).click();
  await rowOf(page, "Sea.mp3").getByRole("button", { name: "Stop Sea.mp3" }).click();

  await page.getByRole("checkbox", { name: "Select all files shown" }).check();
  await page.getByRole("toolbar", { name: "Selected files" }).getByRole("button", { name: "Use" }).click();
  await expect(page.getByLabel("Video links")).toHaveValue(beach!.link);
  await expect(audioLinksOf(page)).toHaveValue(song!.link);
});

// spec 2.12.1, 2.12.7
test("deleting says what a job still needs, and links to the job", async ({ page }) => {
  const [beach, street] = await sendFiles();
  const jobId = await seedJob(clipmill.context, { name: "Launch", videos: 1, status: "Processing" });
  const oldJobId = await seedJob(clipmill.context, { name: "Old", videos: 1, status: "Completed" });
  await clipmill.db
    .insertInto("library_uses")
    .values([
      { file_id: beach!.id, job_id: jobId },
      { file_id: beach!.id, job_id: oldJobId },
      { file_id: street!.id, job_id: oldJobId },
    ])
    .execute();
  await page.goto(`${clipmill.url}/library?search=mp4&kind=video`);
  await expect(rowOf(page, "beach.mp4")).toContainText("in 2 jobs");
  await rowOf(page, "beach.mp4").getByRole("checkbox").check();
  await rowOf(page, "street.mp4").getByRole("checkbox").check();
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete 2 files?" });
  await expect(question).toContainText(
    "1 of these files is needed by running or waiting jobs, presets, brand kits or audio sets and will be kept.",
  );
  await question.getByRole("button", { name: "Delete files" }).click();
  const held = page.getByRole("dialog", { name: "File not deleted" });
  await expect(held).toContainText("beach.mp4");
  await expect(rowOf(page, "street.mp4")).toHaveCount(0);
  await expectAccessible(page, "files that were not deleted");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await held.getByRole("link", { name: "Launch" }).click();
  await expect(page).toHaveURL(`${clipmill.url}/jobs/${jobId}`);
});

// spec 2.12.8
test("2,000 files render as a screenful, and the last one is reached and selected", async ({ page }) => {
  await clipmill.db
    .insertInto("library_files")
    .values(
      Array.from({ length: 2_000 }, (_, place) => ({
        ...{
          id: `clip-${place}`,
          name: `Clip ${place}.mp4`,
          kind: "video" as const,
          storage_key: `library/clip-${place}`,
        },
        ...{ size_bytes: 1, duration_seconds: 1, is_sample: false },
      })),
    )
    .execute();
  await page.goto(`${clipmill.url}/library?search=clip&sort=name`);
  await expect(rowOf(page, "Clip 0.mp4")).toBeVisible();
  expect(await rowsOf(page).count()).toBeLessThan(50);
  await page.keyboard.press("End");
  await expect(rowOf(page, "Clip 1999.mp4")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all files shown" }).check();
  await expect(page.getByRole("toolbar")).toContainText("2,000 selected");
});

type GivenFile = { name: string; mimeType: string; buffer: Buffer };

async function fileOf(name: string): Promise<GivenFile> {
  const mimeType = name.endsWith("mp3") ? "audio/mpeg" : "video/mp4";
  return { name, mimeType, buffer: await readFile(path.join(folder, name)) };
}

async function upload(page: Page, files: GivenFile[]): Promise<void> {
  await page.getByLabel("Files for the library").setInputFiles(files);
}

async function sendFiles(): Promise<LibraryFile[]> {
  const token = (await client.auth.getSession()).data.session!.access_token;
  const files: LibraryFile[] = [];
  for (const name of ["beach.mp4", "street.mp4", "song.mp3"]) {
    const use = name.endsWith("mp3") ? "music" : "video";
    const response = await fetch(`${clipmill.url}/uploads?name=${name}&use=${use}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: new Uint8Array((await fileOf(name)).buffer),
    });
    files.push(((await response.json()) as { data: LibraryFile }).data);
  }
  const { data } = await client.functions.invoke<LibraryResponse>("library", { body: { method: "GET" } });
  return files.map(({ id }) => data!.data.find((file) => file.id === id)!);
}

function rowsOf(page: Page): Locator {
  return page.getByRole("list", { name: "Files" }).locator("> li");
}

function rowOf(page: Page, name: string): Locator {
  return rowsOf(page).filter({ has: page.getByText(name, { exact: true }) });
}

async function chooseAction(page: Page, name: string, label: string): Promise<void> {
  const more = rowOf(page, name).getByRole("button", { name: `More actions for ${name}` });
  // Disabled while the menu's code loads. Unlike a click, a key press does not wait for that.
  await expect(more).toBeEnabled();
  await more.press("Enter");
  const item = page.getByRole("menuitem", { name: label });
  await item.focus();
  await item.press("Enter");
}
