/** Controls the browser's clock. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { cardOf, openDashboard, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { seedJob, seedManyJobs } from "../../../dev/seed/seed-jobs.ts";

const NEAR_PX = 1000;

test.use({ reducedMotion: "no-preference" });

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

// spec 4.1.4
test("Processing and Cancelling show an animated spinner, Completed does not", async ({ page }) => {
  for (const status of ["Processing", "Cancelling", "Completed"] as const)
    await seedJob(clipmill, { name: `Is ${status}`, status });
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/job-history`);
  for (const [status, turns] of [
    ["Processing", true],
    ["Cancelling", true],
    ["Completed", false],
  ] as const) {
    const badge = cardOf(page, `Is ${status}`).getByText(status, { exact: true });
    await expect(badge).toBeVisible();
    const animations = await badge.evaluate((element) => element.getAnimations({ subtree: true }).length);
    expect([status, animations > 0]).toEqual([status, turns]);
  }
});

// spec 2.5.3, 4.6.3, 9.15, 9.16
test("Copied! is shown for 2 seconds, and Caption Lab saves after a pause of 500 ms", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/auto-caption`);
  const links = page.getByLabel("Video links");
  await links.fill("https://drive.google.com/file/d/one");
  const stored = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  await page.clock.runFor(500);
  expect(await stored()).toContain("file/d/one");

  await page.clock.pauseAt(Date.now() + 60_000);
  await links.fill("https://drive.google.com/file/d/two");
  await page.clock.runFor(499);
  expect(await stored()).not.toContain("file/d/two");
  await page.clock.runFor(1);
  expect(await stored()).toContain("file/d/two");

  // Adds a caption to copy.
  await page.evaluate(() => {
    const [key, text] = Object.entries(localStorage).find(([name]) => name.startsWith("clipmill-caption-lab/"))!;
    const session = {
      ...JSON.parse(text),
      generatedCaptions: [{ link: "https://drive.google.com/file/d/two", caption: "A line" }],
    };
    localStorage.setItem(key, JSON.stringify(session));
  });
  await page.reload();
  await page.clock.resume();
  const copy = page.getByRole("button", { name: "Copy All Captions" });
  await expect(copy).toBeEnabled();
  await page.clock.pauseAt(Date.now() + 120_000);
  await copy.click();
  const copied = page.getByRole("button", { name: "Copied!" }).first();
  await expect(copied).toBeVisible();
  await page.clock.runFor(1_999);
  await expect(copied).toBeVisible();
  await page.clock.runFor(1);
  await expect(copied).toHaveCount(0);
  await expect(copy).toBeVisible();
});

// spec 9.19
test("the next page of jobs is requested within 1000 px of the page's bottom, and not before", async ({ page }) => {
  await clipmill.db.deleteFrom("jobs").execute();
  await seedManyJobs(clipmill, 60);
  await signIn(page, clipmill.url);
  // With this height, one page of 10 puts the end more than 1000 px below.
  await page.setViewportSize({ width: 390, height: 500 });
  const asked: string[] = [];
  page.on("request", (request) => {
    const body = request.postData() ?? "";
    // Requests for page 1 can come at any time, to keep the shown and the queued jobs current.
    const isNextPage = body.includes('"list"') && !body.includes('"page":"1"');
    if (request.url().includes("/functions/v1/jobs") && isNextPage) asked.push(body);
  });
  await page.goto(`${clipmill.url}/job-history`);
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  await expect.poll(() => distanceToEnd(page)).toBeGreaterThan(NEAR_PX);
  const before = asked.length;
  await scrollTo(page, NEAR_PX + 40);
  expect(asked).toHaveLength(before);
  await scrollTo(page, NEAR_PX - 60);
  await expect.poll(() => asked.length).toBe(before + 1);
});

// spec 5.18
test("Add is disabled while a domain is being saved", async ({ page }) => {
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/cloak-manager`);
  await page.getByRole("button", { name: "Add Domain" }).first().click();
  await page.getByLabel("Domain *").fill("slow.example.com");
  const arrived = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  await page.route("**/rest/v1/domains*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    arrived.resolve();
    await proceed.promise;
    return route.continue();
  });
  const add = page.getByRole("dialog").getByRole("button", { name: /^Add/ });
  await add.click();
  await arrived.promise;
  await expect(add).toBeDisabled();
  proceed.resolve();
  await expect(page.getByRole("row").filter({ hasText: "slow.example.com" })).toBeVisible();
});

// spec 9.26
test("the socket's heartbeat is 25 seconds, and the token is checked every 30 seconds", async ({ page }) => {
  const sent = { heartbeats: 0 };
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      if (String(payload).includes('"heartbeat"')) sent.heartbeats += 1;
    }),
  );
  let refreshed = 0;
  page.on("request", (request) => {
    if (request.url().includes("grant_type=refresh_token")) refreshed += 1;
  });
  await page.clock.install();
  await openDashboard(page, clipmill.url);
  // A live change shows that the socket is connected and its timer runs.
  await seedJob(clipmill, { name: "Arrived live", status: "Completed" });
  await expect(cardOf(page, "Arrived live")).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  // Returns the seconds until the next heartbeat.
  const untilNext = async () => {
    const before = sent.heartbeats;
    let seconds = 0;
    for (; sent.heartbeats === before && seconds <= 60; seconds += 1) await page.clock.runFor(1_000);
    return seconds;
  };
  await untilNext();
  expect(await untilNext()).toBe(25);

  const { expires_at: expiresAt } = await readSession(page);
  const nowSeconds = await page.evaluate(() => Date.now() / 1_000);
  // The client checks every 30 s and refreshes a token that expires in less than four such intervals.
  await page.clock.fastForward((expiresAt - nowSeconds - 4 * 30 - 5) * 1_000);
  expect(refreshed).toBe(0);
  await page.clock.runFor(36_000);
  await expect.poll(() => refreshed).toBe(1);
});

function readSession(page: Page): Promise<{ expires_at: number }> {
  return page.evaluate(() => JSON.parse(localStorage.getItem("clipmill-auth")!) as { expires_at: number });
}

/** In pixels below the viewport. */
function distanceToEnd(page: Page): Promise<number> {
  return page.evaluate(() => {
    const end = document.scrollingElement!;
    return end.scrollHeight - end.scrollTop - end.clientHeight;
  });
}

/** Also waits for IntersectionObservers. */
async function scrollTo(page: Page, distancePx: number): Promise<void> {
  await page.evaluate(async (distance) => {
    const end = document.scrollingElement!;
    end.scrollTop = end.scrollHeight - end.clientHeight - distance;
    // An IntersectionObserver fires after two frames at most.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, distancePx);
}
