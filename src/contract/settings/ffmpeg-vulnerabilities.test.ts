import { expect, test } from "vitest";
import { knownHolesOf, SAFE_RELEASES } from "./ffmpeg-vulnerabilities.ts";

test.each([
  ["5.1.9-0+deb12u1", ["CVE-2026-8461", "CVE-2026-40962"]],
  ["n7.0-7-gd38bf5e08e-20240407", ["CVE-2026-8461", "CVE-2026-40962"]],
  ["7.1.4-0+deb13u1", ["CVE-2026-8461"]],
  ["7.1.5", []],
  ["8.0.3", ["CVE-2026-40962"]],
  ["8.1", ["CVE-2026-8461"]],
  ["n8.1.2", []],
  ["9.0", []],
  ["N-118193-g5f38c82", ["CVE-2026-8461", "CVE-2026-40962"]],
])("of ffmpeg %s the known holes are %j", (version, holes) => {
  expect(knownHolesOf(version)).toEqual(holes);
});

test("the releases to install have every fix", () => {
  expect(SAFE_RELEASES.flatMap(knownHolesOf)).toEqual([]);
});
