import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { templatesFolder } from "#tests/support/temporary-files.ts";
import { openApt } from "./debian-apt.ts";

/** Some packages keep libraries here. Installation scripts, which do not run, would link to them. */
const FURTHER_FOLDERS = ["blas", "lapack", "pulseaudio"];

/**
 * Downloads a Debian suite's newest ffmpeg with all libraries into a folder, and returns a program that runs it. apt
 * verifies the packages. A folder from an earlier call is used again if the version is the same.
 */
export async function unpackFfmpeg(suite: string): Promise<string> {
  const folder = path.join(templatesFolder(), `clipmill-test-ffmpeg-${suite}`);
  const apt = await openApt(folder, suite);
  await apt("apt-get", ["update", "--error-on=any"]);
  const about = await apt("apt-cache", ["show", "--no-all-versions", "ffmpeg"]);
  const [, version] = /^Version: (\S+)$/m.exec(about) ?? [];
  if (version === undefined) throw new Error(`Debian ${suite} has no ffmpeg.`);
  const tree = path.join(folder, `tree-${version.replaceAll(/[^\w.+~-]/g, "_")}`);
  if (!existsSync(tree)) {
    for (const old of globSync("tree-*", { cwd: folder })) rmSync(path.join(folder, old), { recursive: true });
    await apt("apt-get", ["install", "--yes", "--download-only", "ffmpeg"]);
    await unpack(path.join(folder, "archives"), `${tree}.part`);
    renameSync(`${tree}.part`, tree);
    await apt("apt-get", ["clean"]);
  }
  return writeProgram(tree);
}

async function unpack(archives: string, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const packages = readdirSync(archives).filter((name) => name.endsWith(".deb"));
  for (const name of packages) await execa("dpkg-deb", ["--extract", path.join(archives, name), target]);
}

/** Runs with the suite's C library, because this machine's may be older. Media programs do not get LD_LIBRARY_PATH. */
function writeProgram(tree: string): string {
  const [linker] = globSync("{usr/,}lib/*/ld-linux*.so.*", { cwd: tree });
  if (linker === undefined) throw new Error(`${tree} has no C library.`);
  const system = path.basename(path.dirname(linker));
  const further = FURTHER_FOLDERS.map((name) => `usr/lib/${system}/${name}`);
  const folders = [`lib/${system}`, `usr/lib/${system}`, ...further].map((name) => path.join(tree, name));
  const libraries = folders.filter((name) => existsSync(name)).join(":");
  const file = path.join(tree, "ffmpeg");
  const command = [path.join(tree, linker), "--library-path", libraries, path.join(tree, "usr/bin/ffmpeg")];
  writeFileSync(file, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}
