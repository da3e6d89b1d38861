import { chromium } from "@playwright/test";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
const [,, url, password, which = "first"] = process.argv;
const browser = await chromium.launch(launchOptions(findBrowser()));
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await context.newPage();
page.on("console", (m) => m.type() === "error" && console.log("console:", m.text()));
const shot = (n: string) => page.screenshot({ path: `/tmp/firstrun/shots/${n}.png` });
async function signIn() {
  await page.goto(url!);
  await page.getByLabel("Email").fill("operator@clipmill.local");
  await page.getByLabel("Password", { exact: true }).fill(password!);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("heading", { name: /Welcome/ }).waitFor();
}
async function sizes(name: string) {
  for (const theme of ["dark", "light"]) {
    await page.evaluate((t) => { localStorage.setItem("clipmill-theme", t); localStorage.setItem("theme", t); }, theme);
    for (const [w, h] of [[1440, 900], [1366, 650], [390, 844]] as const) {
      await page.setViewportSize({ width: w, height: h });
      await page.reload();
      await page.waitForTimeout(900);
      await shot(`${name}-${theme}-${w}`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
await signIn();
if (which === "first") {
  await page.getByRole("link", { name: "Try sample clips" }).waitFor();
  await sizes("welcome");
  await page.getByRole("link", { name: "Try sample clips" }).click();
  await page.getByRole("button", { name: "Start Processing" }).waitFor();
  await page.waitForTimeout(2500);
  await shot("samples-form");
  const from = Date.now();
  await page.getByRole("button", { name: "Start Processing" }).click();
  await page.getByRole("link", { name: "Open job" }).waitFor();
  await page.waitForTimeout(500);
  await shot("samples-started");
  await page.getByRole("link", { name: "Open job" }).click();
  await page.getByText("Completed", { exact: true }).first().waitFor({ timeout: 180000 });
  console.log("done after", (Date.now() - from) / 1000);
  await page.waitForTimeout(1500);
  await sizes("job");
  await page.goto(url!); await page.waitForTimeout(1000); await shot("dashboard-after");
}
await browser.close();
