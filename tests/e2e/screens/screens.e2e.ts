/** SPEC sections 2, 5 and 8. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectVideos, fillVideoLinks, writeVideoLinks } from "#tests/support/browser/job-screen.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { EMAIL } from "#tests/support/servers/clipmill-process.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

const LINK = "https://drive.google.com/file/d/1x8Qm4tB0vYfR2kLz7NcWpA9dHsJ3eUgT/view";
const PAGES: [label: string, route: string][] = [
  ["Dashboard", "/"],
  ["Create Jobs", "/video-processing"],
  ["Caption Sets", "/caption-sets"],
  ["Audio Sets", "/audio-sets"],
  ["Presets", "/presets"],
  ["Library", "/library"],
  ["Job History", "/job-history"],
  ["Caption Lab", "/auto-caption"],
  ["Watch Folders", "/watch-folders"],
  ["Cloak Manager", "/cloak-manager"],
  ["Batch Scheduler", "/bulk-scheduler"],
  ["Warmup Robot", "/warmup-automation"],
  ["Settings", "/settings/general"],
];

test.use({ reducedMotion: "no-preference" });

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

test.describe("signed out", () => {
  // spec 2.1.1
  test("only the sign-in form is shown, with an email and a password field", async ({ page }) => {
    await page.goto(`${clipmill.url}/job-history`);
    await expect(page.getByLabel("Email")).toHaveAttribute("type", "email");
    await expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
    await expect(page.getByRole("navigation")).toHaveCount(0);
  });

  // spec 2.1.1
  test("a wrong password shows the server's message and does not sign in", async ({ page }) => {
    await page.goto(clipmill.url);
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByText("Invalid login credentials")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sign In" })).toBeEnabled();
    expect((await page.request.get(`${clipmill.url}/rest/v1/jobs`)).status()).toBe(401);
  });
});

test.describe("signed in", () => {
  let errors: string[];

  test.beforeEach(async ({ page }) => {
    errors = watchConsole(page);
    await signIn(page);
  });

  test.afterEach(() => {
    expect(errors).toEqual([]);
  });

  // spec 2.2.1, 2.2.3, 2.2.6, 2.2.7, 2.2.8, 6.1
  test("the sidebar links to every screen, and the header names the current one", async ({ page }) => {
    for (const [label, route] of PAGES) {
      await page.getByRole("complementary").getByRole("link", { name: label, exact: true }).click();
      await expect(page).toHaveURL(clipmill.url + route);
      await expect(page.getByRole("banner")).toContainText(label);
    }
  });

  // spec 2.2.9
  test("an unknown path shows a 404 page with a link home", async ({ page }) => {
    await page.goto(`${clipmill.url}/no/such/page`);
    await expect(page.getByText("Oops! Page not found")).toBeVisible();
    await expect(page.getByRole("banner")).toContainText("Dashboard");
    await expect(page).toHaveTitle("Page not found · Clipmill");
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL(`${clipmill.url}/`);
  });

  // spec 2.2.4, 2.2.5, 3.14, 9.5
  test("the theme is dark by default, can be switched, and is saved", async ({ page }) => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await background()).toBe("rgb(15, 14, 12)");
    await page.getByRole("button", { name: /theme/i }).click();
    await expect.poll(background).toBe("rgb(239, 236, 230)");
    await page.reload();
    await expect(page.getByText("Recent Jobs")).toBeVisible();
    expect(await background()).toBe("rgb(239, 236, 230)");
  });

  // spec 2.2.2
  test("on a phone, the sidebar is a drawer", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole("link", { name: "Job History" })).toHaveCount(0);
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("link", { name: "Job History" }).click();
    await expect(page).toHaveURL(`${clipmill.url}/job-history`);
    await expect(page.getByRole("link", { name: "Caption Lab" })).toHaveCount(0);
  });

  // spec 2.2.8, 6.2
  test("signing out ends the session permanently", async ({ page }) => {
    await page.getByRole("button", { name: "Sign Out" }).click();
    await expect(page.getByLabel("Email")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Email")).toBeVisible();
  });

  // spec 2.4.2, 2.4.10, 5.5.1, 5.5.2, 5.5.3
  test("Start needs a name and a valid link, and invalid lines are marked", async ({ page }) => {
    await page.goto(`${clipmill.url}/video-processing`);
    const start = page.getByRole("button", { name: "Start Processing" });
    await expect(start).toBeDisabled();
    await writeVideoLinks(page, "http://drive.google.com/file/d/abc\nnonsense");
    await page.getByLabel("Job name").fill("A job");
    await expect(start).toBeDisabled();
    await expect(page.getByText(/^Line 2/)).toBeVisible();
    await writeVideoLinks(page, `${LINK}\nnonsense`);
    await expectVideos(page, 1);
    await expect(start).toBeEnabled();
  });

  // spec 5.5.4, 5.5.5, 5.5.6
  test("missing fields are reported in SPEC's words and order, and no job is created", async ({ page }) => {
    await page.goto(`${clipmill.url}/video-processing`);
    await page.getByLabel("Job name").fill("Rejected");
    await fillVideoLinks(page, LINK);
    await page.getByRole("switch", { name: "Captions" }).check();
    await page.getByRole("switch", { name: "Background Music" }).check();
    const start = page.getByRole("button", { name: "Start Processing" });
    const isRejected = async (title: string, description: string) => {
      await start.click();
      const toast = page.getByRole("alert").filter({ hasText: title });
      await expect(toast).toContainText(description);
      await toast.getByRole("button").click();
      await expect(toast).toHaveCount(0);
    };
    await isRejected("Captions Required", "Captions are enabled but no captions provided");
    await page.getByRole("textbox", { name: "Captions" }).fill("A caption");
    await isRejected("Audio Required", "Audio is enabled but no audio links provided");
    await page.getByLabel("Audio links").fill("https://example.com/song.mp3");
    await isRejected("Invalid Audio Links", "No valid Google Drive or Instagram audio links found");
    const client = await signedInClient(clipmill.url);
    expect((await client.from("jobs").select("*")).data).toEqual([]);
  });

  // spec 5.6
  test("invalid numbers are corrected on blur as SPEC requires", async ({ page }) => {
    await page.goto(`${clipmill.url}/video-processing`);
    const variants = page.getByLabel("Variants per video");
    for (const wrong of ["", "abc", "0", "-3"]) {
      await variants.fill(wrong);
      await variants.blur();
      await expect(variants).toHaveValue("1");
    }
    await page.getByRole("button", { name: /Advanced Options/ }).click();
    await page.getByText("Multiple", { exact: true }).click();
    const duration = page.getByLabel("Segment duration");
    await expect(duration).toHaveValue("30");
    await duration.fill("0");
    await duration.blur();
    await expect(duration).toHaveValue("10");
  });

  test("axe finds no issues on the screens in both themes", async ({ page }) => {
    for (const route of ["/", "/video-processing", "/job-history", "/settings"]) {
      await page.goto(clipmill.url + route);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectAccessible(page, route);
    }
  });
});

async function signIn(page: Page): Promise<void> {
  await injectSession(page, clipmill.url);
  await page.goto(clipmill.url);
  await expect(page.getByText("Recent Jobs")).toBeVisible();
}
