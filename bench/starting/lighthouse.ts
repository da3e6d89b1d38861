/**
 * Lighthouse (desktop) on the production build: performance of sign-in and Dashboard (median of 5), accessibility of
 * every screen.
 */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import desktopConfig from "lighthouse/core/config/desktop-config.js";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { EMAIL, PASSWORD, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { buildWebIfNeeded } from "#programs/first-start/build-web.ts";
import { describeMachine, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const DEBUGGING_PORT = 9_333;
const SCREENS = [
  "/video-processing",
  "/caption-sets",
  "/audio-sets",
  "/job-history",
  "/auto-caption",
  "/cloak-manager",
];
const MORE_SCREENS = ["/bulk-scheduler", "/warmup-automation", "/settings", "/no/such/page"];
const AIM = 95;

await buildWebIfNeeded(() => console.log("Building the web app."));
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-lighthouse-"));
const clipmill = await startClipmillProcess(path.join(folder, "data"));
const options = launchOptions(findBrowser());
const context = await chromium.launchPersistentContext(path.join(folder, "profile"), {
  ...options,
  args: [...(options.args ?? []), `--remote-debugging-port=${DEBUGGING_PORT}`],
});
console.log(describeMachine());
try {
  await report("sign-in", "/", RUNS);
  const page = await context.newPage();
  await page.goto(clipmill.url);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("banner").waitFor();
  await page.close();
  await report("Dashboard", "/", RUNS);
  for (const screen of [...SCREENS, ...MORE_SCREENS]) await report(screen, screen, 1);
} finally {
  await context.close();
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
}

async function report(name: string, address: string, runs: number): Promise<void> {
  const performance: number[] = [];
  const accessibility: number[] = [];
  for (let run = 0; run < runs; run++) {
    const flags = { port: DEBUGGING_PORT, disableStorageReset: true, onlyCategories: ["performance", "accessibility"] };
    const result = await lighthouse(clipmill.url + address, { ...flags, logLevel: "error" }, desktopConfig);
    if (!result) throw new Error("Lighthouse returned no result.");
    const { categories, audits } = result.lhr;
    performance.push(100 * (categories["performance"]?.score ?? 0));
    accessibility.push(100 * (categories["accessibility"]?.score ?? 0));
    const failed = categories["accessibility"]?.auditRefs.filter(
      ({ id, weight }) => weight > 0 && audits[id]?.score === 0,
    );
    for (const { id } of failed ?? []) console.log(`  ${name}: ${audits[id]?.title}`);
  }
  const score = medianOf(performance);
  const aim = runs > 1 ? `, target ${AIM}: ${score >= AIM ? "met" : "NOT met"}` : "";
  console.log(
    `${name}: performance ${score.toFixed(0)} (${runs} runs)${aim}; accessibility ${Math.min(...accessibility)}`,
  );
  if (Math.min(...accessibility) < 100) process.exitCode = 1;
}
