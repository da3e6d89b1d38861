import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { launch } from "./launch.ts";

/** Returns the allowed cores of a pinned program, such as "0" or "0-1". */
async function coresOf(): Promise<string> {
  const args = [
    "-c",
    "while read name cores; do case $name in Cpus_allowed_list:) echo $cores;; esac; done < /proc/$$/status",
  ];
  const { outputs, ended } = launch("sh", { args, outputs: [1], isPinned: true });
  const cores = await text(outputs[1]!);
  expect(await ended).toMatchObject({ exitCode: 0 });
  return cores.trim();
}

test.skipIf(process.platform !== "linux" || availableParallelism() < 2)(
  "two pinned programs get different cores",
  async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second] = await Promise.all([coresOf(), coresOf()]);
      expect(first).toMatch(/^\d+$/);
      expect(second).toMatch(/^\d+$/);
      expect(second).not.toBe(first);
    }
  },
);
