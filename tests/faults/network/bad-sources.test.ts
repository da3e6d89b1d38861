import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { web } from "#contract/sources/hosts/web.ts";
import { forEachAtOnce } from "#ground/slots.ts";
import { isFullRun, testFault } from "#tests/support/faults/fault-rounds.ts";
import { openTestDownloads } from "#tests/support/fetch-from-host.ts";
import { countDescriptors } from "#tests/support/network/count-descriptors.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { startWebTwin, type WebTwin } from "#tests/support/twins/web-twin.ts";

const CHECKS = isFullRun ? 1_000 : 90;
const AT_ONCE = 10;
const BYTES = Buffer.alloc(300_000, 7);

type Behaviour = NonNullable<Parameters<WebTwin["add"]>[1]["behaviour"]>;

const BAD: Behaviour[] = [
  { kind: "garbage" },
  { kind: "silent" },
  { kind: "cut" },
  { kind: "gated" },
  { kind: "wrongLength" },
  { kind: "wrongRange" },
  { kind: "compressed" },
  { kind: "page" },
  { kind: "redirect", to: "https://169.254.169.254/latest/meta-data/" },
  { kind: "redirect", to: "/0" },
  { kind: "status", status: 404 },
  { kind: "status", status: 429, headers: { "retry-after": "90" } },
  { kind: "status", status: 503 },
];

const folder = await makeScratchFolder();
let twin: WebTwin;
beforeAll(async () => {
  twin = await startWebTwin();
});
afterAll(async () => await twin.close());

testFault(
  {
    id: "bad-sources",
    fault:
      "1,000 files are fetched from a website that sends garbage, nothing, wrong lengths or ranges, pages, redirects inside and errors (90 in the short form)",
    expected: "each fetch ends in one sentence; no file and no descriptor is left",
    rounds: { short: 1, full: 5 },
    secondsPerRound: 120,
    skip: process.platform !== "linux" && "reads /proc",
  },
  fetchAll,
);

async function fetchAll(): Promise<Record<string, number>> {
  const downloads = openTestDownloads(folder, web, { privateSources: [twin.authority] });
  const before = await countDescriptors(process.pid, 0);
  const numbers = Array.from({ length: CHECKS }, (_, number) => number);
  await forEachAtOnce(numbers, AT_ONCE, async (number) => {
    const behaviour = BAD[number % BAD.length]!;
    const attempt = downloads.fetch(twin.add(`/${number}`, { bytes: BYTES, behaviour }));
    const error = await attempt.then(
      () => new Error(`no error: ${behaviour.kind}`),
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(ClipmillError);
    expect((error as ClipmillError).message).toMatch(/^[^\n]+\.$/);
  });
  expect(await readdir(folder)).toEqual([]);
  // Idle connections close after a few seconds.
  const countLeft = async () => (await countDescriptors(process.pid, 0)) - before;
  await expect.poll(countLeft, { timeout: 30_000 }).toBeLessThanOrEqual(2);
  return { "descriptors left": await countLeft() };
}
