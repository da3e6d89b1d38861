/** Covers the list of transcripts and their editor. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type { UploadResponse } from "#contract/calls.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { TranscriptResponse } from "#contract/transcripts/transcripts.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { shortTargets } from "#tests/support/browser/short-targets.ts";
import { addTranscript } from "#tests/support/jobs/add-transcript.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { copyWebApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { testLines, textsOf } from "#web/features/transcripts/test-lines.ts";

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1440, height: 900 };
const TEXTS = ["we met at clip mill", "(um) and saw it maybe?", "turn", "all day long"];

let server: TestServer;
let link: string;
let videoIds: string[];
let errors: string[];

test.beforeAll(async () => {
  server = await startTestServer(copyWebApp);
  const clip = path.join(server.folder, "talk.mp4");
  await makeClip(clip, { width: 90, height: 160, framesPerSecond: 10, seconds: 15, toneHz: null });
  const token = (await server.client.auth.getSession()).data.session!.access_token;
  const response = await fetch(`${server.url}/uploads?name=talk.mp4&use=video`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: new Uint8Array(await readFile(clip)),
  });
  link = libraryLink(((await response.json()) as UploadResponse).data.id);
  const job = await server.create({ job_name: "A talk", input_videos: [link, link] });
  const videos = server.context.db.selectFrom("job_videos").select("id").where("job_id", "=", job.id);
  videoIds = (await videos.orderBy("position").execute()).map(({ id }) => id);
});
test.afterAll(() => server.close());
test.beforeEach(async ({ page }) => {
  await server.context.db.deleteFrom("transcripts").execute();
  errors = await signIn(page, server.url);
  await page.setViewportSize(LAPTOP);
});
test.afterEach(() => expect(errors.filter((error) => !isResponseError(error))).toEqual([]));

const add = (texts = TEXTS, video = 0, name = "talk.mp4") =>
  addTranscript(server.context.db, { lines: testLines(...texts), videoId: videoIds[video]!, name, link });

async function readTexts(id: string): Promise<string[]> {
  const body = { action: "read", id };
  const { data } = await server.client.functions.invoke<TranscriptResponse>("transcripts", { body });
  return textsOf(data!.data.lines);
}

async function changeElsewhere(id: string, change: (texts: string[]) => string[]): Promise<void> {
  const body = { action: "read", id };
  const { data } = await server.client.functions.invoke<TranscriptResponse>("transcripts", { body });
  const lines = testLines(...change(TEXTS));
  await server.client.functions.invoke("transcripts", {
    body: { action: "update", id, revision: data!.data.revision, lines },
  });
}

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`${server.url}/transcripts/${id}`);
  await expect(word(page, "we")).toBeVisible();
}

const lines = (page: Page): Locator => page.getByRole("list", { name: "Lines" });
const word = (page: Page, text: string): Locator =>
  lines(page).getByRole("button", { name: text, exact: true }).first();
const line = (page: Page, text: string): Locator => lines(page).getByRole("listitem").filter({ hasText: text });
const expectSaved = (page: Page): Promise<void> => expect(page.getByText("Saved", { exact: true })).toBeVisible();

async function retype(page: Page, old: string, text: string): Promise<void> {
  await word(page, old).dblclick();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

// spec 2.20.1, 2.20.2, 2.20.3
test("a word is corrected by keyboard, a line split, and undo leads through a save and a reload", async ({ page }) => {
  const id = await add();
  await page.goto(`${server.url}/transcripts?video=${videoIds[0]}`);
  await expect(page).toHaveURL(new RegExp(id));
  await word(page, "clip").click();
  const time = () => page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(time).toBeGreaterThanOrEqual(3);
  expect(await time()).toBeLessThan(3.2);
  await expect(word(page, "clip")).toHaveAttribute("data-playing");
  await page.keyboard.press("ArrowRight");
  await expect(word(page, "mill")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Clip Clop");
  await page.keyboard.press("Enter");
  await expect(word(page, "Clop")).toBeFocused();
  await page.keyboard.press("s");
  await expect(line(page, "Clop mill")).toHaveCount(1);
  await expect(lines(page).getByRole("listitem")).toHaveCount(5);
  await expectAccessible(page, "transcript editor");
  await expectSaved(page);
  expect(await readTexts(id)).toEqual(["we met at Clip", "Clop mill", ...TEXTS.slice(1)]);

  await page.reload();
  await expect(word(page, "Clop")).toBeVisible();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(word(page, "clip")).toBeVisible();
  await page.keyboard.press("Control+y");
  await expect(word(page, "Clop")).toBeVisible();
  await page.keyboard.press("h");
  await page.keyboard.press("m");
  await expectSaved(page);
  await expect.poll(() => readTexts(id)).toEqual(["we met at (Clip) Clop mill", ...TEXTS.slice(1)]);

  // Not even a word that is still being typed is lost.
  await word(page, "turn").dblclick();
  await page.keyboard.type("Turns");
  await page.reload();
  await expect(word(page, "Turns")).toBeVisible();
  await expect.poll(() => readTexts(id)).toContain("Turns");
});

// spec 2.20.3
test("someone else's edits are merged, and for the same line the screen asks which version to keep", async ({
  page,
}) => {
  const id = await add();
  await open(page, id);
  await changeElsewhere(id, ([first, second, , last]) => [first!, second!, "Turning", last!]);
  await retype(page, "we", "We");
  await expect(page.getByText("Saved, with changes by someone else")).toBeVisible();
  await expect(word(page, "Turning")).toBeVisible();
  await expect.poll(() => readTexts(id)).toContain("We met at clip mill");

  await changeElsewhere(id, ([, ...rest]) => ["They met at clip mill", ...rest]);
  await retype(page, "We", "You");
  const choice = page.getByRole("alert").filter({ hasText: "Someone else changed the same lines." });
  await expect(choice).toBeVisible();
  await expect(word(page, "You")).toBeVisible();
  await expectAccessible(page, "two versions");
  await page.setViewportSize(PHONE);
  await expectNoOverflow(page);
  await choice.getByRole("button", { name: "Keep mine" }).click();
  await expect(choice).toHaveCount(0);
  await expect.poll(() => readTexts(id)).toContain("You met at clip mill");
});

// spec 2.20.4
test("text is replaced in all transcripts of a job, and fillers are hidden", async ({ page }) => {
  const [id, other] = [await add(), await add(["Clip mill again", "clip mill, twice"], 1, "other.mp4")];
  await page.goto(`${server.url}/transcripts`);
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectAccessible(page, "transcripts");
  await page.getByRole("link", { name: "talk.mp4" }).click();
  await expect(word(page, "we")).toBeVisible();
  await page.keyboard.press("f");
  await page.getByRole("searchbox", { name: "Find" }).fill("clip mill");
  await expect(page.getByText("1 match")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 of 1")).toBeVisible();
  await page.getByRole("combobox", { name: "Replace all in" }).click();
  await page.getByRole("option", { name: "All in job A talk" }).click();
  await page.getByLabel("Replace with").fill("Clipmill");
  await page.getByRole("button", { name: "Replace all 3" }).click();
  await expect(page.getByText("3 matches replaced in 2 transcripts")).toBeVisible();
  await expectAccessible(page, "find and replace");
  await page.setViewportSize(PHONE);
  await expectNoOverflow(page);
  await expectAccessible(page, "find and replace on a phone");
  expect(await shortTargets(page)).toEqual([]);
  await page.getByRole("button", { name: "Close find and replace" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Hide fillers" }).click();
  await expect.poll(() => readTexts(id)).toContain("we met at Clipmill");
  expect(await readTexts(other)).toEqual(["Clipmill again", "Clipmill, twice"]);
});

// spec 2.20.5
test("a download has the last edit, or fails while it is unsaved, and names are in Settings", async ({ page }) => {
  const id = await add();
  await open(page, id);
  const downloadSrt = async () => {
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("menuitem", { name: "SRT" }).click();
  };
  const actions: string[] = [];
  await page.route("**/functions/v1/transcripts", (route) => {
    const { action } = route.request().postDataJSON() as { action: string };
    actions.push(action);
    return action === "update" ? route.fulfill({ status: 500, json: { error: "It failed." } }) : route.continue();
  });
  await retype(page, "clip", "Clip");
  await downloadSrt();
  await expect(page.getByText("Couldn't download the transcript")).toBeVisible();
  await expect(page.getByText("The corrections are not saved yet. Try again once they are.")).toBeVisible();
  expect(actions).toContain("update");
  expect(actions).not.toContain("export");
  await page.unroute("**/functions/v1/transcripts");
  const download = page.waitForEvent("download");
  await downloadSrt();
  const file = await download;
  expect(file.suggestedFilename()).toBe("talk.srt");
  expect(await readFile(await file.path(), "utf8")).toContain("we met at Clip mill");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Names" }).click();
  await expect(page.getByLabel("Names", { exact: true })).toBeVisible();
});

// spec 2.20.6
test("shows which files have the old text, and makes their videos again", async ({ page }) => {
  const id = await add();
  const [videoId] = videoIds;
  const { job_id: jobId } = await server.context.db
    .selectFrom("job_videos")
    .select("job_id")
    .where("id", "=", videoId!)
    .executeTakeFirstOrThrow();
  const file = (variant: number, start_seconds: number, end_seconds: number) => ({
    ...{ job_id: jobId, video_id: videoId!, variant, segment: 0, name: `${variant}.mp4` },
    ...{ status: "Completed" as const, start_seconds, end_seconds },
  });
  await server.context.db
    .insertInto("job_outputs")
    .values([file(0, 0, 5), file(1, 5, 12)])
    .execute();
  await open(page, id);
  await retype(page, "clip", "Clip");
  await expect(page.getByText("1 word changed. 1 file shows the old text.")).toBeVisible();
  await page.getByRole("button", { name: "Make 1 file again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "A talk (Rerun)" })).toBeVisible();
  const made = server.context.db.selectFrom("jobs").select("total_videos").orderBy("created_at", "desc");
  expect(await made.executeTakeFirst()).toEqual({ total_videos: 1 });
  expect(await readTexts(id)).toContain("we met at Clip mill");
});
