import { describe, expect, it } from "vitest";
import { slugProblem } from "../cloak/published-config.ts";
import type { NameValues } from "../jobs/outputs/output-name.ts";
import { linkSlug, slugOfFile } from "./link-slug.ts";
import { linkTarget } from "./link-target.ts";
import { linksProblem } from "./links-problem.ts";

const VALUES: NameValues = {
  name: "harbor",
  source: "IMG_0042",
  position: "007",
  variant: "2",
  segment: "01",
  caption: " Summer sale: 50% off?! 🔥 ",
  track: "a/b\\c#d",
  job: "Spring drop",
  format: "9x16",
  language: "",
  row: { sku: "A-1", url: "https://shop.test/p?id=7#top", evil: "x@evil.test/?a=1&b#c", dots: "..", nothing: "" },
};

describe("a slug", () => {
  it.each([
    ["{job}/{row.sku}-{variant}", "Spring-drop/A-1-2"],
    ["{caption}", "Summer-sale-50-off"],
    ["{caption:6}-{track}", "Summer-a-b-c-d"],
    ["{row.dots}/{row.nothing}/ ? /x", "x"],
    ["_clipmill/x", "clipmill/x"],
    ["__root__", "root"],
    ["..", "fallback-1"],
    ["{row.evil}", "x-evil.test-a-1-b-c"],
    ["été/Größe/夏{variant}", "été/Größe/夏2"],
    ["a".repeat(600), "a".repeat(480)],
  ])("%j gives %j", (pattern, slug) => {
    expect(linkSlug(pattern, VALUES, "fallback 1")).toBe(slug);
    expect(slugProblem(slug)).toBeNull();
  });

  it("is the file's name without a pattern", () => {
    expect(slugOfFile("001-v2-A clip 👩‍👩‍👧.mp4")).toBe("001-v2-A-clip");
    expect(slugOfFile("🔥.mp4")).toBe("link");
  });
});

describe("a target", () => {
  const utm = "utm_source=tiktok&utm_content={row.sku}-v{variant}";
  it.each([
    ["https://shop.test/{row.sku}", null, "https://shop.test/A-1"],
    ["{row.url}", null, "https://shop.test/p?id=7#top"],
    ["{row.url}", utm, "https://shop.test/p?id=7&utm_source=tiktok&utm_content=A-1-v2#top"],
    ["https://shop.test/{row.evil}", null, "https://shop.test/x%40evil.test%2F%3Fa%3D1%26b%23c"],
    [
      "https://shop.test/?UTM_Source=old&utm%5Fcontent=x&utm_term=kept&a=%2F",
      utm,
      "https://shop.test/?utm_term=kept&a=%2F&utm_source=tiktok&utm_content=A-1-v2",
    ],
    [
      "https://shop.test?",
      "?utm_campaign={caption}",
      "https://shop.test?utm_campaign=Summer%20sale%3A%2050%25%20off%3F!%20%F0%9F%94%A5",
    ],
    ["https://shop.test/?utm_term=own", "utm_term={row.nothing}", "https://shop.test/?utm_term=own"],
    ["https://shop.test/", "utm_campaign=a+b%26c", "https://shop.test/?utm_campaign=a%20b%26c"],
    ["{row.sku}", null, null],
    [`https://shop.test/${"x".repeat(2_000)}`, null, null],
  ])("%j with %j is %j", (pattern, fields, target) => {
    expect(linkTarget(pattern, fields, VALUES)).toBe(target);
  });
});

describe("the rules", () => {
  const ROWS = [{ url: "https://a.test" }, { url: "a.test" }];
  it.each([
    [{ link_target: "nonsense", link_utm: "x" }, null],
    [{ link_domain_id: "d" }, "Enter the address to which the links lead"],
    [{ link_domain_id: "d", link_target: "https://a.test/{row.url}" }, null],
    [{ link_domain_id: "d", link_target: "a.test" }, expect.stringMatching(/^The link target must be a web address/)],
    [{ link_domain_id: "d", link_target: "{row.url}" }, expect.stringMatching(/^Row 2: the link target must be/)],
    [
      { link_domain_id: "d", link_target: "{name}" },
      expect.stringMatching(/^The link target can't start with "\{name\}"/),
    ],
    [{ link_domain_id: "d", link_target: "https://a.test/{sku}" }, expect.stringMatching(/^The link target can't use/)],
    [
      { link_domain_id: "d", link_target: "https://a.test", link_slug_pattern: "{row.sku}" },
      'The slug pattern uses the column "sku", which no row has',
    ],
    [
      { link_domain_id: "d", link_target: "https://a.test", link_utm: "source=a" },
      '"source" is not a UTM field; write utm_source=tiktok&utm_content={name}, for example',
    ],
    [{ link_domain_id: "d", link_target: "https://a.test", link_utm: "utm_id=a&UTM_ID=b" }, '"utm_id" appears twice'],
    [
      { link_domain_id: "d", link_target: "https://a.test", link_utm: "utm_id={" },
      'A "{" in the field utm_id has no "}"; write "{{" for a brace',
    ],
    [{ link_domain_id: {}, link_target: 7, link_utm: [] }, null],
  ])("%j", (job, problem) => {
    expect(linksProblem(job, ROWS)?.description ?? null).toEqual(problem);
  });
});
