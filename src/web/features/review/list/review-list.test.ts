import { expect, test } from "vitest";
import { countVerdicts, filterOutputs, nextToReview, stepFrom, usualReasons, variantsOf } from "./review-list.ts";

const output = (id: string, verdict: "approved" | "rejected" | null = null, reason: string | null = null) => ({
  id,
  verdict,
  reason,
  video_id: id.slice(0, 1),
  segment: Number(id.slice(2) || 0),
});
const list = [output("a1", "approved"), output("a2"), output("b1", "rejected", "Dark"), output("b2")];
const idsOf = (outputs: readonly { id: string }[]) => outputs.map(({ id }) => id);

test("counts and filters by verdict, but keeps the file that is being looked at", () => {
  expect(countVerdicts(list)).toEqual({ unreviewed: 2, approved: 1, rejected: 1, all: 4 });
  expect(idsOf(filterOutputs(list, "unreviewed", null))).toEqual(["a2", "b2"]);
  expect(idsOf(filterOutputs(list, "unreviewed", "b1"))).toEqual(["a2", "b1", "b2"]);
  expect(idsOf(filterOutputs(list, "rejected", null))).toEqual(["b1"]);
  expect(filterOutputs(list, "all", null)).toBe(list);
});

test("goes on to the next file, and from the last back to the first without a verdict", () => {
  expect(stepFrom(list, "a1", -1)).toBeNull();
  expect(stepFrom(list, "b2", 1)).toBeNull();
  expect(nextToReview(list, "a1", "all")?.id).toBe("a2");
  expect(nextToReview(list, "b2", "all")).toBeNull();
  const open = filterOutputs(list, "unreviewed", "b2");
  expect(nextToReview(open, "b2", "unreviewed")?.id).toBe("a2");
  expect(nextToReview([output("b2")], "b2", "unreviewed")).toBeNull();
});

test("compares the variants of one part of a video, and suggests frequent reasons", () => {
  const segments = [output("a-0"), output("a-1"), output("a-0"), output("b-0")];
  expect(variantsOf(segments, segments[0]!)).toEqual([segments[0], segments[2]]);
  const rejected = ["Dark", "Cut", "Dark", null].map((reason, i) => output(`c${i}`, "rejected", reason));
  expect(usualReasons(rejected, 5)).toEqual(["Dark", "Cut"]);
  expect(usualReasons(rejected, 1)).toEqual(["Dark"]);
});
