import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lockfileProblems } from "../dev/checks/lockfile-problems.ts";

const LOCKFILE = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
const BUNDLED = readFileSync(new URL("../docs/BUNDLED.md", import.meta.url), "utf8");

type Package = {
  name?: string;
  integrity?: string;
  resolved?: string;
  inBundle?: boolean;
  license?: string;
  optionalDependencies?: Record<string, string>;
};
type Packages = Record<string, Package>;

function changed(change: (packages: Packages) => void): string[] {
  const lockfile = JSON.parse(LOCKFILE) as { packages: Packages };
  change(lockfile.packages);
  return lockfileProblems(JSON.stringify(lockfile));
}

it("has a checksum for every package and contains no download URLs", () => {
  expect(lockfileProblems(LOCKFILE)).toEqual([]);
});

it("rejects a package whose checksum is missing or weak", () => {
  expect(changed((packages) => delete packages["node_modules/zod"]!.integrity)).toEqual([
    "node_modules/zod has no SHA-512 integrity.",
  ]);
  expect(changed((packages) => (packages["node_modules/zod"]!.integrity = "sha1-AAAA"))).toHaveLength(1);
});

it("rejects a package that names a registry", () => {
  expect(changed((packages) => (packages["node_modules/zod"]!.resolved = "https://packages.example/zod.tgz"))).toEqual([
    "node_modules/zod contains a download URL.",
  ]);
});

it("rejects a package under the name of one that npm's registry does not have", () => {
  expect(changed((packages) => delete packages["node_modules/com.unity.barracuda"]!.name)).toEqual([
    "node_modules/com.unity.barracuda is not empty-npm-package.",
  ]);
});

it("rejects a bundled package whose parent package has no checksum", () => {
  const problems = changed((packages) => {
    const bundled = Object.keys(packages).find((folder) => packages[folder]!.inBundle)!;
    delete packages[bundled.slice(0, bundled.lastIndexOf("/node_modules/"))]!.integrity;
  });
  expect(problems.length).toBeGreaterThan(1);
});

it("lists every bundled program and font in docs/BUNDLED.md", () => {
  const { packages } = JSON.parse(LOCKFILE) as { packages: Packages };
  const programs = Object.keys(packages[""]!.optionalDependencies!);
  const fonts = Object.keys(packages).filter((folder) => packages[folder]!.license?.includes("OFL"));
  const names = [...programs, ...fonts.map((folder) => folder.replace("node_modules/", ""))];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !BUNDLED.includes(`\`${name}\``))).toEqual([]);
});
