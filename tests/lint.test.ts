import { execa } from "execa";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

it("rejects assignments that read the old value before they wait", async () => {
  const rejected = ["sum.of += await read();", "sum.most ??= 1 + (await read());", "sum.most ||= f(await read());"];
  const accepted = [
    "const more = await read(); sum.of += more;",
    "for (sum.of = 0; sum.of < 3; sum.of += 1) await read();",
    "sum.later ??= async () => await read();",
    "sum.of = await read();",
  ];
  const file = path.join(await makeScratchFolder(), "linted.js");
  await writeFile(file, `export async function change(sum, read, f) {\n${[...rejected, ...accepted].join("\n")}\n}\n`);
  const args = ["-c", path.join(ROOT, ".oxlintrc.json"), "--format", "unix", file];
  const { stdout } = await execa("oxlint", args, { preferLocal: true, localDir: ROOT, reject: false });
  const lines = stdout.matchAll(/:(\d+):\d+: .*Await first, then assign/g);
  expect([...lines].map(([, line]) => line)).toEqual(["2", "3", "4"]);
});
