import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CheckedLink } from "./key-of-check.ts";
import { type CheckRun, createLinkChecks, type LinkChecks } from "./link-checks.ts";

let checks: LinkChecks<string>;
const started: string[] = [];
const ended: string[] = [];

const check = async ({ id }: CheckedLink, { signal, enterHost }: CheckRun): Promise<string> => {
  using places = new DisposableStack();
  places.use(await enterHost("metadata"));
  started.push(id);
  await new Promise((resolve, reject) => {
    if (id.startsWith("quick")) resolve(null);
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  }).finally(() => ended.push(id));
  return id;
};

beforeEach(() => {
  vi.useFakeTimers();
  checks = createLinkChecks({ check, freshMsOf: () => 1_000 }, { mostUnfinished: 5 });
});
afterEach(async () => {
  await checks.stop();
  started.length = ended.length = 0;
  vi.useRealTimers();
});

const link = (id: string, host: CheckedLink["host"] = "google-drive"): CheckedLink => ({
  host,
  id,
  accessKey: null,
  isFolder: false,
});
const settled = () => vi.advanceTimersByTimeAsync(0);

it("checks at most 4 links of a host at the same time, and 8 of all", async () => {
  const sites = ["a", "b", "c"].flatMap((site) =>
    [1, 2, 3, 4, 5].map((n) => link(`https://${site}.example/${n}`, "web")),
  );
  for (const [i, site] of sites.entries()) checks.ask([site], `account ${i}`);
  await settled();
  expect(started.map((id) => id.slice(8, 9)).join("")).toBe("aaaabbbb");
});

it("asks about all links of a host before it reads the bytes of any", async () => {
  const steps: string[] = [];
  const inWaves = createLinkChecks({
    async check({ id }, { enterHost }) {
      for (const wave of ["metadata", "bytes"] as const) {
        using places = new DisposableStack();
        places.use(await enterHost(wave));
        steps.push(`${wave} ${id}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return id;
    },
    freshMsOf: () => 1_000,
  });
  const ids = ["1", "2", "3", "4", "5", "6"];
  const all = inWaves.ask(
    ids.map((id) => link(id)),
    "one",
  );
  await vi.advanceTimersByTimeAsync(10);
  await Promise.all(all.map(({ done }) => done));
  expect(steps).toEqual([...ids.map((id) => `metadata ${id}`), ...ids.map((id) => `bytes ${id}`)]);
  await inWaves.stop();
});

it("rejects more unfinished checks of an account, and starts none of a rejected call", async () => {
  checks.ask(
    ["1", "2", "3"].map((id) => link(id)),
    "one",
  );
  checks.ask(
    ["4", "5", "6"].map((id) => link(id)),
    "two",
  );
  const more = ["3", "7", "8", "9"].map((id) => link(id));
  expect(() => checks.ask(more, "one")).toThrow(expect.objectContaining({ code: "too_many" }));
  checks.ask([link("quick")], "two");
  checks.ask(more.slice(0, 3), "one");
});

it("shares a check, keeps its result for a while, then checks again", async () => {
  const [first] = checks.ask([link("quick")], "one");
  const [second] = checks.ask([link("quick")], "two");
  await settled();
  expect([first!.result, second]).toEqual(["quick", first]);
  checks.ask([link("quick")], "one");
  await vi.advanceTimersByTimeAsync(1_100);
  checks.ask([link("quick")], "one");
  await settled();
  expect(started).toEqual(["quick", "quick"]);
});

it("cancels a check 15 seconds after the last request for it, and starts it again on request", async () => {
  checks.ask([link("slow"), link("other")], "one");
  await vi.advanceTimersByTimeAsync(10_000);
  checks.ask([link("slow")], "two");
  await vi.advanceTimersByTimeAsync(8_000);
  expect(ended).toEqual(["other"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ended).toEqual(["other", "slow"]);
  checks.ask([link("slow")], "one");
  await settled();
  expect(started).toEqual(["slow", "other", "slow"]);
});
