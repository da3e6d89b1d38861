import { expect, it } from "vitest";
import { withQuery } from "./redirect-visitor.ts";

it("appends the visitor's parameters to the target's own, which stay unchanged", () => {
  for (const [target, query, merged] of [
    ["https://a.test/", "x=1", "https://a.test/?x=1"],
    ["https://a.test/#top", "x=1", "https://a.test/?x=1#top"],
    ["https://a.test/?", "x=1", "https://a.test/?x=1"],
    ["https://a.test/?id=7", "x=1&y=2", "https://a.test/?id=7&x=1&y=2"],
    ["https://a.test/?id=7#top", "id=8&x=1", "https://a.test/?id=7&x=1#top"],
    ["https://a.test/?id=7", "id=8", "https://a.test/?id=7"],
    ["https://a.test/?a+b=7", "a%20b=8&x", "https://a.test/?a+b=7&x"],
    ["https://a.test/#?not-a-query", "x=1", "https://a.test/?x=1#?not-a-query"],
    ["https://a.test/", "a=1&a=2", "https://a.test/?a=1&a=2"],
    ["https://a.test/?id=7#top", "x=1#y&z=2#", "https://a.test/?id=7&x=1%23y&z=2%23#top"],
  ] as const) {
    expect([target, query, withQuery(target, query)]).toEqual([target, query, merged]);
  }
});
