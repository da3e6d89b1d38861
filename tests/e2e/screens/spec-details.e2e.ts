/** Covers details that no other browser test covers. */
import { expect, type Page } from "@playwright/test";
import { audioLinksOf, editAsText } from "#tests/support/browser/job-screen.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { createJob, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { EMAIL } from "#tests/support/servers/clipmill-process.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const ABSENT = "https://clipmill.local/file/d/absent";
const JOB_FIELDS =
  "id job_name status queue_position input_videos captions_enabled caption_set_id custom_captions audio_enabled audio_set_id audio_mode " +
  "watermark_enabled watermark_text variants_per_video video_gain music_gain loop_audio segment_duration segmentation_type download_enabled " +
  "output_folder folder_link download_url error_message progress current_video total_videos retry_count max_retries processing_started_at " +
  "updated_at created_at";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

// spec 5.23
test("the sign-in form requires email and password before it sends a request", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.goto(clipmill.url);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByLabel("Password")).toBeFocused();
  expect(sent.filter((url) => url.includes("/token"))).toEqual([]);
});

// spec 2.2.3, 2.2.6, 2.2.7
test("the sidebar lists its groups in order, and the header falls back to Dashboard", async ({ page }) => {
  await signIn(page, "/no/such/page");
  const linksOf = (group: string) => page.getByRole("region", { name: group, exact: true }).getByRole("link");
  await expect(linksOf("Create")).toHaveText(["Dashboard", "Create Jobs", "Caption Sets", "Audio Sets", "Job History"]);
  await expect(linksOf("Tools")).toHaveText(["Caption Lab", "Cloak Manager", "Batch Scheduler", "Warmup Robot"]);
  await expect(linksOf("Assets")).toHaveText(["Presets", "Library"]);
  await expect(linksOf("Automation")).toHaveText(["Watch Folders"]);
  await expect(page.getByRole("banner")).toContainText("Dashboard");
});

// spec 2.4.1, 2.4.6, 5.6, 9.10
test("the job screen names its steps, recommends 1-5 variants, and shows the video volume only in mix mode", async ({
  page,
}) => {
  await signIn(page, "/video-processing");
  await expect(page.getByText("Transform your videos with captions and audio in 3 simple steps")).toBeVisible();
  for (const name of ["Basic Setup", "Add Content (Optional)", "Advanced Options"]) {
    await expect(page.getByRole("heading", { name })).toBeVisible();
  }
  await page.getByLabel("Variants per video").fill("6");
  await expect(page.getByText("1-5 recommended")).toBeVisible();
  await page.getByRole("switch", { name: "Background Music" }).click();
  await expect(page.getByRole("slider", { name: "Music volume" })).toBeVisible();
  await expect(page.getByRole("slider", { name: "Video volume" })).toHaveCount(0);
  await page.getByText("Mix", { exact: true }).click();
  await expect(page.getByRole("slider", { name: "Video volume" })).toBeVisible();
});

// spec 4.3.7
test("editing the audio links deselects the audio set", async ({ page }) => {
  const client = await signedInClient(clipmill.url);
  const set = { name: "Chosen", audio_links: [ABSENT] };
  const { data } = await client.from("audio_sets").insert(set).select("id").single().throwOnError();
  await signIn(page, `/video-processing?audioSet=${data.id}`);
  const links = audioLinksOf(page);
  await expect(links).toHaveValue(ABSENT);
  await expect(page.getByRole("combobox").filter({ hasText: "Chosen" })).toBeVisible();
  await editAsText(page, links);
  await links.press("End");
  await links.pressSequentially("x");
  await expect(page.getByRole("combobox").filter({ hasText: "Chosen" })).toHaveCount(0);
});

// spec 2.8.5, 2.8.6, 3.1
test("a history card shows videos, variants, audio mode, progress and creation time; a job has all its fields", async ({
  page,
}) => {
  const client = await signedInClient(clipmill.url);
  const { id, created_at: createdAt } = await createJob(client, {
    job_name: "Summed up",
    input_videos: [ABSENT, ABSENT],
    variants_per_video: 3,
    audio_enabled: true,
    custom_audio_links: [ABSENT],
    audio_mode: "mix",
  });
  expect(Object.keys(await readJob(client, id))).toEqual(expect.arrayContaining(JOB_FIELDS.split(" ")));
  await signIn(page, "/job-history");
  const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Summed up", exact: true }) });
  for (const text of ["2 videos", "3 variants", "Mix audio", /^\d+%$/])
    await expect(card.getByText(text, { exact: true }).first()).toBeVisible();
  await expect(card.getByRole("time")).toHaveAttribute("datetime", createdAt);
});

// spec 2.11.5, 5.22
test("domains show their creation date, and a route cannot be saved without slug or primary URL", async ({ page }) => {
  const client = await signedInClient(clipmill.url);
  const { data } = await client.from("domains").insert({ name: "go.example.com" }).select().single().throwOnError();
  const route = { slug: "spring", primary_url: "https://example.com/", active: true };
  await client
    .from("routes")
    .insert({ ...route, domain_id: data.id })
    .throwOnError();
  await signIn(page, "/cloak-manager");
  const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric" }).format(new Date(data.created_at));
  await expect(page.getByRole("columnheader", { name: "Created" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "go.example.com" })).toContainText(day);
  await page.goto(`${clipmill.url}/cloak-manager?tab=routes`);
  await page.getByRole("button", { name: "Edit Route" }).click();
  const update = page.getByRole("button", { name: "Update route" });
  await expect(update).toBeEnabled();
  for (const [label, value] of [
    ["Slug *", route.slug],
    ["Primary URL *", route.primary_url],
  ] as const) {
    await page.getByLabel(label).fill("");
    await expect(update).toBeDisabled();
    await page.getByLabel(label).fill(value);
    await expect(update).toBeEnabled();
  }
});

async function signIn(page: Page, address: string): Promise<void> {
  await injectSession(page, clipmill.url);
  await page.goto(clipmill.url + address);
  await expect(page.getByRole("banner")).toBeVisible();
}
