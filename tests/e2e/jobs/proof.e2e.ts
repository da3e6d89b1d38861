/** Covers samples, a guest's comment, a change and the approval. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Page, type Route } from "@playwright/test";
import { openAdvanced } from "#tests/support/browser/job-screen.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openDashboard } from "#tests/support/browser/screens.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

const PHONE = { width: 390, height: 844 };

async function startWithClips() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-proof-"));
  const twin = await startDriveTwin();
  const clip = path.join(folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1, toneHz: null });
  for (const id of ["a", "b", "c"]) twin.add({ id, path: clip, name: `${id}.mp4`, mimeType: "video/mp4" });
  const clipmill = await startInstalledClipmill(path.join(folder, "data"), twin.environment);
  return {
    twin,
    clipmill,
    close: async () => {
      await clipmill.stop();
      await twin.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// spec 2.15.1, 2.15.2, 2.15.3, 2.15.4, 2.15.5, 2.15.6, 2.15.7
test("a job makes samples, guests see only those, and a change and an approval make the rest", async ({
  page,
  browser,
}) => {
  const { twin, clipmill, close } = await startWithClips();
  try {
    const errors = watchConsole(page);
    await injectSession(page, clipmill.url);
    await page.goto(`${clipmill.url}/video-processing`);
    await page.getByRole("textbox", { name: "Job name" }).fill("Spring campaign");
    await page
      .getByRole("textbox", { name: "Video links" })
      .fill(["a", "b", "c"].map((id) => twin.links(id)).join("\n"));
    // The list of videos moves the switch down.
    await expect(page.getByText("Drive file c", { exact: true })).toBeVisible();
    await openAdvanced(page);
    await page.getByRole("switch", { name: "Make samples first" }).check();
    await page.getByLabel("Samples first", { exact: true }).fill("2");
    await page.getByText("Chosen videos").click();
    await page.getByLabel("Videos to sample").fill("1, 3-9");
    await page.getByRole("button", { name: "Start Processing" }).click();
    await expect(page.getByText("Video 4 cannot be sampled: there are only 3 videos")).toBeVisible();
    await page.getByLabel("Videos to sample").fill("1, 3");
    await page.getByRole("button", { name: "Start Processing" }).click();
    const client = await signedInClient(clipmill.url);
    await expect
      .poll(async () => (await client.from("jobs").select("awaiting_approval")).data)
      .toEqual([{ awaiting_approval: true }]);
    await page.getByRole("textbox", { name: "Job name" }).fill("My next job");

    await page.goto(`${clipmill.url}/job-history`);
    await expect(page.getByText("Needs approval", { exact: true })).toBeVisible();
    await page.goto(clipmill.url);
    await expect(page.getByText("Needs approval", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Spring campaign" }).click();
    const panel = page.getByRole("region", { name: "Samples" });
    await expect(panel.getByRole("heading", { name: "2 samples are ready" })).toBeVisible();
    await expect(panel.getByRole("button", { name: /^Play 00[13]-v1/ })).toHaveCount(2);
    await expectAccessible(page, "the job's page");
    const jobId = page.url().split("/").at(-1)!;

    // The samples appear once, with one set of actions.
    await expect(page.getByRole("button", { name: /^Play / })).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Cancel", exact: true })).toHaveCount(0);

    await panel.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Guests can approve the samples").uncheck();
    await dialog.getByRole("button", { name: "Create link" }).click();
    const address = (await dialog.getByLabel("Guest link", { exact: true }).textContent())!.trim();
    expect(address).toMatch(/\/guest\/[\w-]{43}$/);
    await expectAccessible(page, "the dialog");
    // Closing does not wait for the list of links.
    const listed = Promise.withResolvers<void>();
    await page.route("**/functions/v1/jobs", async (route) => {
      if (route.request().postData()?.includes('"feedback"')) await listed.promise;
      await route.continue();
    });
    await dialog.getByLabel("Guests can approve the samples").check();
    await dialog.getByRole("button", { name: "Create link" }).click();
    await expect(dialog.getByLabel("Guest link", { exact: true })).not.toHaveText(address);
    const deciderAddress = (await dialog.getByLabel("Guest link", { exact: true }).textContent())!.trim();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toHaveCount(0);
    listed.resolve();

    const guestContext = await browser.newContext({ reducedMotion: "reduce" });
    const guest = await guestContext.newPage();
    const guestErrors = watchConsole(guest);
    const requested: string[] = [];
    guest.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await guest.goto(address);
    await expect(guest.getByRole("heading", { name: "Spring campaign" })).toBeVisible();
    await expect(guest.getByRole("list", { name: "Samples" }).getByRole("listitem")).toHaveCount(2);
    await expect(guest.getByRole("button", { name: "Approve samples" })).toBeHidden();
    const video = guest.locator("video").first();
    await video.evaluate((element: HTMLVideoElement) => element.play());
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
    // A refresh from before the comment arrives after it.
    const [earlier, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const refresh = async (route: Route) => {
      const response = await route.fetch();
      earlier.resolve();
      await late.promise;
      await route.fulfill({ response });
    };
    await guest.route("**/view", refresh, { times: 1 });
    const refreshed = guest.waitForResponse("**/view");
    await guest.evaluate(() => window.dispatchEvent(new Event("focus")));
    await earlier.promise;
    await guest.getByLabel("Your name").fill("Ann");
    await guest.getByLabel("Comment").fill("A little brighter, please.");
    await guest.getByRole("button", { name: "Send comment" }).click();
    const comments = guest.getByRole("list", { name: "Your comments" });
    await expect(comments).toContainText("A little brighter");
    late.resolve();
    await (await refreshed).finished();
    await guest.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(comments).toContainText("A little brighter");
    // A note keeps the moment at which the video stands.
    await video.evaluate((element: HTMLVideoElement) => {
      element.pause();
      element.currentTime = 0.6;
    });
    await guest.getByRole("button", { name: "Comment at 0:01" }).click();
    await expect(guest.getByLabel("Your note at 0:01")).toBeFocused();
    await guest.getByLabel("Your note at 0:01").fill("The logo is cut off.");
    await expectAccessible(guest, "the guest's page");
    await guest.getByRole("button", { name: "Send note" }).click();
    const notes = guest.getByRole("list", { name: /^Notes on 001-v1/ });
    await expect(notes).toContainText("The logo is cut off.");
    await video.evaluate((element: HTMLVideoElement) => (element.currentTime = 0));
    await notes.getByRole("button", { name: "Show 0:01" }).click();
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeCloseTo(0.6, 1);
    // The page follows the system's theme.
    for (const colorScheme of ["light", "dark"] as const) {
      await guest.emulateMedia({ colorScheme });
      await expect(guest.locator("html")).toHaveAttribute("data-theme", colorScheme);
    }
    await guest.setViewportSize(PHONE);
    expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    // Nothing of the app is loaded.
    const own = /^\/(guest\/|assets\/(guest|inter)|before-app\.js|favicon)/;
    expect(requested.filter((name) => !own.test(name))).toEqual([]);
    expect(guestErrors).toEqual([]);

    const decider = await guestContext.newPage();
    await decider.goto(deciderAddress);
    await decider.getByLabel("Your name").fill("Bob");
    await decider.getByLabel("Comment").fill("Go ahead.");
    const addresses = () =>
      decider.locator("video").evaluateAll((videos) => videos.map((video) => video.getAttribute("src")));
    const shown = await addresses();
    expect(shown).toHaveLength(2);
    // The page stays stale until then.
    const rejected = decider.waitForResponse((response) => response.url().endsWith("/approve"), {
      timeout: 0,
    });
    await decider.route("**/view", async (route) => {
      await rejected;
      await route.continue();
    });

    await page.reload();
    await expect(panel.getByText("A little brighter, please.")).toBeVisible();
    await expect(panel.getByText("The logo is cut off.")).toBeVisible();
    await panel.getByRole("button", { name: /^001-v1.* at 0:01$/ }).click();
    const played = page.getByRole("dialog").locator("video");
    await expect.poll(() => played.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.5);
    await page.keyboard.press("Escape");

    // Without the job's values, there is no form that could replace them.
    const jobRequest = /\/rest\/v1\/jobs\?select=\*&id=/;
    const loading = Promise.withResolvers<void>();
    await page.route(jobRequest, async (route) => {
      await loading.promise;
      await route.fulfill({ status: 503, json: { message: "The server is restarting." } });
    });
    await panel.getByRole("button", { name: "Change" }).click();
    await expect(page.getByText("You are changing a job that awaits approval.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Job name" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Update Samples" })).toHaveCount(0);
    loading.resolve();
    await expect(page.getByRole("alert")).toContainText("The server is restarting.");
    expect(errors.splice(0)).toEqual([expect.stringContaining("503")]);
    await expectAccessible(page, "a change that failed to load");
    await page.unroute(jobRequest);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("textbox", { name: "Job name" })).toHaveValue("Spring campaign");
    await expect(page.getByLabel("Videos to sample")).toHaveValue("1, 3");
    await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
    // A reload keeps the change. The draft of the next job stays apart from it.
    const name = page.getByRole("textbox", { name: "Job name" });
    await name.fill("Summer campaign");
    await page.reload();
    await expect(name).toHaveValue("Summer campaign");
    await page.getByRole("complementary").getByRole("link", { name: "Create Jobs" }).click();
    await expect(page.getByRole("button", { name: "Start Processing" })).toBeVisible();
    await expect(name).toHaveValue("My next job");
    // The server lists an upload without a sender as waiting, as it does between two parts.
    await page.route("**/uploads/tus/*", (route) =>
      route.request().method() === "PATCH" ? undefined : route.continue(),
    );
    const upload = page.getByRole("list", { name: "Uploads" }).getByText("next.mp4");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    const next = { name: "next.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(9_000_000, 7) };
    await page.getByLabel("Video files").setInputFiles(next);
    await sent;
    const uploads = page.waitForResponse((response) => response.url().endsWith("/uploads/tus"));
    await page.goBack();
    expect((await (await uploads).json()) as unknown).toMatchObject({ data: [{ name: "next.mp4", state: "waiting" }] });
    await expect(name).toHaveValue("Summer campaign");
    await expect(upload).toHaveCount(0);
    await page.goForward();
    await expect(upload).toBeVisible();
    await page.getByRole("button", { name: "Cancel next.mp4" }).click();
    await page.goBack();
    await expect(name).toHaveValue("Summer campaign");
    await page.getByRole("button", { name: "Update Samples" }).click();
    await expect(page).toHaveURL(new RegExp(`/jobs/${jobId}$`));
    await expect(panel.getByRole("heading", { name: "2 samples are ready" })).toBeVisible();
    expect(await readJob(client, jobId)).toMatchObject({ job_name: "Summer campaign" });

    await guest.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(guest.getByText("The samples have changed. Look at them again.")).toBeVisible();
    await expect(guest.getByLabel("Your name")).toHaveValue("Ann");
    expect(await addresses()).toEqual(shown);
    await decider.getByRole("button", { name: "Approve samples" }).click();
    await decider.getByRole("button", { name: "Approve", exact: true }).click();
    expect((await rejected).status()).toBe(409);
    await expect(decider.getByText("The samples have changed. Look at them again.")).toBeVisible();
    await expect(decider.getByRole("heading", { name: "Summer campaign" })).toBeVisible();
    expect((await addresses()).filter((each) => shown.includes(each))).toEqual([]);
    await expect(decider.getByLabel("Your name")).toHaveValue("Bob");
    await expect(decider.getByLabel("Comment")).toHaveValue("Go ahead.");
    await expect(decider.getByRole("button", { name: "Approve samples" })).toBeEnabled();

    await panel.getByRole("button", { name: "Share" }).click();
    // Closing waits for a new link, which revoking another link keeps on screen.
    const newLink = dialog.getByLabel("Guest link", { exact: true });
    const closed = Promise.withResolvers<void>();
    await page.route("**/functions/v1/jobs", async (route) => {
      await closed.promise;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Create link" }).click();
    await page.keyboard.press("Escape");
    await expect(dialog.getByRole("button", { name: "Close" })).toBeDisabled();
    closed.resolve();
    await expect(newLink).toBeVisible();
    // The older link is the last.
    await dialog
      .getByRole("button", { name: /^Revoke/ })
      .last()
      .click();
    await expect(dialog.getByText(/^Revoked/)).toHaveCount(1);
    await expect(newLink).toBeVisible();
    await dialog
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .click();
    await expect(dialog.getByText(/^Revoked/)).toHaveCount(2);
    await expect(newLink).toHaveCount(0);
    await guest.reload();
    await expect(guest.getByText("This link has expired or was revoked. Ask for a new one.")).toBeVisible();
    await guestContext.close();
    await dialog.getByRole("button", { name: "Close" }).click();
    const { data: samples } = await client.from("job_outputs").select("id").eq("job_id", jobId).order("name");
    const approval = page.waitForRequest((request) => request.postData()?.includes('"approve"') ?? false);
    await panel.getByRole("button", { name: "Approve" }).click();
    expect((await approval).postDataJSON()).toEqual({
      action: "approve",
      jobId,
      samples: samples!.map(({ id }) => id),
    });
    await expect.poll(() => hasEnded(client, jobId)).toBe(true);
    expect(await readJob(client, jobId)).toMatchObject({ status: "Completed", total_videos: 3 });
    await expect(page.getByRole("button", { name: /^Play / })).toHaveCount(3);
    expect(errors).toEqual([]);
  } finally {
    await close();
  }
});

test("samples to a guest and back: six actions, and three by the client", async ({ page, browser }) => {
  const { twin, clipmill, close } = await startWithClips();
  const counts = { operator: 0, client: 0 };
  const act = async (who: keyof typeof counts, action: Promise<unknown>) => {
    counts[who] += 1;
    await action;
  };
  try {
    const errors = await openDashboard(page, clipmill.url);
    await expect(page.getByLabel("Paste links or drop files")).toBeVisible();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const links = ["a", "b"].map((id) => twin.links(id)).join("\n");
    await page.evaluate((text) => navigator.clipboard.writeText(text), links);
    await act("operator", page.keyboard.press("Control+V"));
    await act("operator", openAdvanced(page));
    await act("operator", page.getByRole("switch", { name: "Make samples first" }).check());
    await act("operator", page.getByRole("button", { name: "Start Processing" }).click());
    await act("operator", page.getByRole("link", { name: "Open job" }).click());
    await act("operator", page.getByRole("button", { name: "Copy guest link" }).click());
    await expect(page.getByText("Guest link copied", { exact: true })).toBeVisible();
    const address = await page.evaluate(() => navigator.clipboard.readText());

    const guest = await (await browser.newContext({ reducedMotion: "reduce", viewport: PHONE })).newPage();
    await guest.goto(address);
    await expect(guest.getByText("Enter your name to approve.").last()).toBeVisible({ timeout: 30_000 });
    for (const box of await boxesOf(guest)) expect(box.height, box.name).toBeGreaterThanOrEqual(44);
    await act("client", guest.getByLabel("Your name").fill("Ann"));
    await act("client", guest.getByRole("button", { name: "Approve samples" }).click());
    await act("client", guest.getByRole("button", { name: "Approve", exact: true }).click());
    await expect(guest.getByText("The samples were approved.")).toBeVisible();
    await guest.context().close();

    await expect(page.getByText("Ann")).toBeVisible();
    await expect(page.getByRole("link", { name: "Review" })).toBeVisible();
    expect(counts).toEqual({ operator: 6, client: 3 });
    expect(errors).toEqual([]);
  } finally {
    await close();
  }
});

/** Returns what a finger can press. */
function boxesOf(page: Page): Promise<{ name: string; height: number }[]> {
  return page.locator("button:visible, a:visible, input:visible").evaluateAll((elements) =>
    elements.map((element) => ({
      name: element.textContent || element.getAttribute("aria-label") || element.id,
      height: element.getBoundingClientRect().height,
    })),
  );
}
