import { execFile } from "node:child_process";
import { chown, cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { isRoot, postgresCommand } from "./postgres-programs.ts";

const run = promisify(execFile);
const NOBODY = 65_534;

// Only its owner can open the folder.
const folder = await makeScratchFolder();

it.skipIf(!isRoot())("runs as nobody from a folder that only root can open, such as /root", async () => {
  const dataDir = path.join(folder, "data");
  await mkdir(dataDir);
  await chown(dataDir, NOBODY, NOBODY);
  const { file, args } = postgresCommand("initdb", [`--pgdata=${dataDir}`, "--username=clipmill", "--no-sync"]);
  const installed = args.find((argument) => path.basename(argument) === "initdb")!;
  const programs = path.resolve(installed, "../..");
  await cp(programs, path.join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  const own = path.join(folder, "native/bin/initdb");
  await run(
    file,
    args.map((argument) => (argument === installed ? own : argument)),
  );
  expect(await readFile(path.join(dataDir, "PG_VERSION"), "utf8")).toMatch(/^\d+\n$/);
});
