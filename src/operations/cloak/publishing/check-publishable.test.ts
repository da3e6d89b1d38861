import { describe, expect, it } from "vitest";
import type { PublishedRoute } from "#contract/cloak/published-config.ts";
import { checkPublishable } from "./check-publishable.ts";

const toUrl = (end: string): string => (end.includes(":") ? end : `https://shop.test/${end}`);

/** Routes of shop.test by slug, each leading to another or away. */
function routesOf(ends: Record<string, [primary: string, fallback?: string]>): PublishedRoute[] {
  return Object.entries(ends).map(([slug, [primary, fallback]], i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    domain: "shop.test",
    slug,
    primary: toUrl(primary),
    fallback: fallback === undefined ? null : toUrl(fallback),
  }));
}

const AWAY = "https://away.test/";

describe("routes that are published together", () => {
  it("may lead from route to route, as long as every path ends", async () => {
    const routes = routesOf({ a: ["b", "c"], b: ["c"], c: [AWAY], d: ["a", "b"], e: ["nothing-there"] });
    await expect(checkPublishable(routes)).resolves.toBeUndefined();
    await expect(checkPublishable([])).resolves.toBeUndefined();
  });

  it("must not lead back, whether directly, through others, or by a fallback", async () => {
    for (const [ends, sentence] of [
      [{ a: ["a"] }, "The route https://shop.test/a redirects back to itself. Change its Primary URL or Fallback URL."],
      [
        { a: [AWAY, "a"] },
        "The route https://shop.test/a redirects back to itself. Change its Primary URL or Fallback URL.",
      ],
      [
        { __root__: ["https://shop.test"] },
        "The route https://shop.test/ redirects back to itself. Change its Primary URL or Fallback URL.",
      ],
      [
        // The path into the loop is not part of it.
        { in: ["a"], a: [AWAY, "b"], b: ["a"] },
        "The route https://shop.test/a redirects back to itself (https://shop.test/a, then https://shop.test/b, then https://shop.test/a). Change its Primary URL or Fallback URL.",
      ],
    ] as [Record<string, [string, string?]>, string][]) {
      await expect(checkPublishable(routesOf(ends))).rejects.toThrow(sentence);
    }
  });

  it("are checked quickly, even with very long paths", async () => {
    const count = 50_000;
    const ends = Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, [`s${i + 1}`]]));
    const beganMs = performance.now();
    await checkPublishable(routesOf(ends as Record<string, [string]>));
    ends[`s${count}`] = ["s0"];
    await expect(checkPublishable(routesOf(ends as Record<string, [string]>))).rejects.toThrow(
      "redirects back to itself",
    );
    // Following a path repeatedly would take hours.
    expect(performance.now() - beganMs).toBeLessThan(30_000);
  });

  it("are checked without blocking visitors and operators", async () => {
    const count = 2_000;
    // One long path: following it must yield to other work too.
    const ends = Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, [`s${i + 1}`]]));
    let turns = 0;
    let isOver = false;
    const takeTurns = (): void => {
      turns += 1;
      if (!isOver) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    await checkPublishable(routesOf(ends as Record<string, [string]>));
    isOver = true;
    // In each of the three passes.
    expect(turns).toBeGreaterThanOrEqual(3 * (count / 500));
  });

  it("are limited in number", async () => {
    const route = routesOf({ a: [AWAY] })[0]!;
    await expect(checkPublishable(Array<PublishedRoute>(100_001).fill(route))).rejects.toThrow(
      "At most 100,000 active routes can be published; there are 100001.",
    );
  });
});
