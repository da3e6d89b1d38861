import { describe, expect, it } from "vitest";
import type { PublishedRoute } from "#contract/published-config.ts";
import { checkPublishable } from "./check-publishable.ts";

const toUrl = (end: string): string => (end.includes(":") ? end : `https://shop.test/${end}`);

/** Routes of shop.test by slug, each leading to others of them, or away. */
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

describe("what is published together", () => {
  it("may lead from route to route, as long as every way ends", () => {
    const routes = routesOf({ a: ["b", "c"], b: ["c"], c: [AWAY], d: ["a", "b"], e: ["nothing-there"] });
    expect(() => checkPublishable(routes)).not.toThrow();
    expect(() => checkPublishable([])).not.toThrow();
  });

  it("must not lead back, directly, through others, or by a fallback", () => {
    for (const [ends, sentence] of [
      [{ a: ["a"] }, "The route https://shop.test/a leads back to itself; change its Primary URL or Fallback URL."],
      [
        { a: [AWAY, "a"] },
        "The route https://shop.test/a leads back to itself; change its Primary URL or Fallback URL.",
      ],
      [
        { __root__: ["https://shop.test"] },
        "The route https://shop.test/ leads back to itself; change its Primary URL or Fallback URL.",
      ],
      [
        // The way into the circle is not part of it.
        { in: ["a"], a: [AWAY, "b"], b: ["a"] },
        "The route https://shop.test/a leads back to itself (https://shop.test/a → https://shop.test/b → https://shop.test/a); change its Primary URL or Fallback URL.",
      ],
    ] as [Record<string, [string, string?]>, string][]) {
      expect(() => checkPublishable(routesOf(ends))).toThrow(sentence);
    }
  });

  it("is checked in no time, however long its ways are", () => {
    const count = 50_000;
    const ends = Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, [`s${i + 1}`]]));
    const beganMs = performance.now();
    checkPublishable(routesOf(ends as Record<string, [string]>));
    ends[`s${count}`] = ["s0"];
    expect(() => checkPublishable(routesOf(ends as Record<string, [string]>))).toThrow("leads back to itself");
    // A way that is looked at again and again would take hours.
    expect(performance.now() - beganMs).toBeLessThan(30_000);
  });

  it("is limited in number", () => {
    const route = routesOf({ a: [AWAY] })[0]!;
    expect(() => checkPublishable(Array<PublishedRoute>(100_001).fill(route))).toThrow(
      "At most 100,000 active routes can be published; there are 100001.",
    );
  });
});
