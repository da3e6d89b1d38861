import { expect, test } from "vitest";
import type { Probe } from "#media/probe/probe-report.ts";
import { createProbeCache } from "./probe-cache.ts";

const probe = (durationSeconds: number) => ({ durationSeconds }) as Probe;

test("finds a probe by content and use, and forgets the least recently used one", () => {
  const probes = createProbeCache(2);
  probes.remember("music", "a", probe(1));
  probes.remember("music", "b", probe(2));
  expect(probes.find("music", "a")).toEqual(probe(1));
  expect(probes.find("video", "a")).toBeUndefined();
  probes.remember("music", "c", probe(3));
  expect(["a", "b", "c"].map((revision) => probes.find("music", revision)?.durationSeconds)).toEqual([1, undefined, 3]);
});
