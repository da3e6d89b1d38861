/**
 * Lighthouse (desktop) on the production build: performance of sign-in and Dashboard (median of 5), accessibility of
 * every screen.
 */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { execa } from "execa";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { EMAIL, PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { describeMachine, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";
import { startClipmill } from "../support/start-clipmill.ts";

/** Downloaded by the bench, because it takes 145 MB with its dependencies. */
const LIGHTHOUSE = "lighthouse@13.5.0";
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

type LighthouseReport = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null }>;
};

await findWebApp(() => console.log("Building the web app."));
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-lighthouse-"));
const clipmill = await startClipmill(path.join(folder, "data"));
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
    const { categories, audits } = await runLighthouse(clipmill.url + address);
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

async function runLighthouse(address: string): Promise<LighthouseReport> {
  const flags = ["--preset=desktop", `--port=${DEBUGGING_PORT}`, "--disable-storage-reset", "--output=json", "--quiet"];
  const categories = "--only-categories=performance,accessibility";
  const { stdout } = await execa("npx", ["--yes", LIGHTHOUSE, address, categories, ...flags]);
  return JSON.parse(stdout) as LighthouseReport;
}
