/**
 * The editor of a 30-minute transcript (500 lines, 4,500 words) in a browser: how long each key press takes, from the
 * press to what it shows (Event Timing), at full speed and with a CPU that is four times slower. The CPU time of the
 * page's main thread does not depend on what else the machine does.
 */
import { type CDPSession, chromium, type Page } from "@playwright/test";
import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";
import { addTranscript } from "#tests/support/jobs/add-transcript.ts";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { describeTimes } from "../support/times.ts";
import { copyWebApp, startTestServer } from "#tests/support/servers/server.ts";

const LINES = 500;
const WORDS_PER_LINE = 9;
const SECONDS_PER_WORD = 0.4;
const SLOWDOWN = 4;
const TEXTS = "what we did with the harbour rooms before breakfast".split(" ");

const server = await startTestServer(copyWebApp);
const browser = await chromium.launch(launchOptions(findBrowser()));
try {
  for (const slowdown of [1, SLOWDOWN]) {
    const id = await addTranscript(server.context.db, { lines: transcriptOf(LINES) });
    const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
    await signIn(page, server.url);
    await page.route("**/downloads/transcripts/*", (route) => route.abort());
    await page.goto(`${server.url}/transcripts/${id}`);
    await page.getByRole("button", { name: "what", exact: true }).first().waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    console.log(`CPU ${slowdown === 1 ? "at full speed" : `${slowdown} times slower`}:`);
    await measureAll(page, session);
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
process.exit();

function transcriptOf(count: number): TranscriptLine[] {
  return Array.from({ length: count }, (_, line) => {
    const words = TEXTS.map((text, i) => {
      const startSeconds = round((line * WORDS_PER_LINE + i) * SECONDS_PER_WORD);
      return { text: i === TEXTS.length - 1 ? text : `${text} `, startSeconds, endSeconds: round(startSeconds + 0.35) };
    });
    return { startSeconds: words[0]!.startSeconds, endSeconds: words.at(-1)!.endSeconds, words };
  });
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

async function measureAll(page: Page, session: CDPSession): Promise<void> {
  const word = page.getByRole("button", { name: "harbour", exact: true }).nth(3);
  await word.click();
  await measure(page, session, "Arrows between words and lines", [
    ...Array<string>(12).fill("ArrowRight"),
    ...Array<string>(12).fill("ArrowDown"),
    ...Array<string>(4).fill("ArrowUp"),
  ]);
  await measure(page, session, "Opening a word, typing and keeping it", [
    "Enter",
    ...Array.from("Harbor side"),
    "Enter",
  ]);
  await measure(page, session, "Splitting, joining, hiding, deleting", ["s", "m", "h", "h", "s", "m", "Delete"]);
  await measure(page, session, "Undo and redo", [
    ...Array<string>(6).fill("Control+z"),
    ...Array<string>(4).fill("Control+y"),
  ]);
  await page.keyboard.press("f");
  await measure(page, session, "Typing in Find", [...Array.from("breakfast"), "Enter", "Enter"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

/** Event Timing rounds to 8 ms, and leaves out what takes less than 16 ms. */
async function measure(page: Page, session: CDPSession, name: string, keys: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    const seen: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name.startsWith("key")) seen.push(entry.duration);
    });
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(window, { seen, observer });
  });
  const cpu: number[] = [];
  for (const key of keys) {
    const before = await cpuMs(session);
    await page.keyboard.press(key === " " ? "Space" : key);
    await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    cpu.push((await cpuMs(session)) - before);
  }
  const seen = await page.evaluate(async () => {
    // The timings of the last frame arrive after it.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { seen, observer } = window as unknown as { seen: number[]; observer: PerformanceObserver };
    for (const { duration, name } of observer.takeRecords()) if (name.startsWith("key")) seen.push(duration);
    observer.disconnect();
    return seen;
  });
  const slowest = seen.length === 0 ? "under 16" : String(Math.max(...seen));
  const over = seen.filter((ms) => ms > 50).length;
  console.log(
    `  ${name}: ${keys.length} key presses, slowest ${slowest} ms, ${over} over 50 ms; CPU ${describeTimes(cpu)}.`,
  );
}

/** CPU time of the page's main thread since it was opened. */
async function cpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1_000 * metrics.find(({ name }) => name === "TaskDuration")!.value;
}
