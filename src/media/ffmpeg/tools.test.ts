import { chmod, copyFile, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { referenceTools, testTools } from "#tests/support/media/media-tools.ts";
import { sha256Of } from "#ground/checksum.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { findBundledFfmpeg, inspectBundledFfmpeg } from "./bundled-ffmpeg.ts";
import { findMediaTools } from "./tools.ts";

const folder = await makeScratchFolder();
const tools = await testTools();

/** Reports another version with the test ffmpeg's capabilities. */
async function makeFfmpeg(name: string, version: string, library: string): Promise<string> {
  const file = path.join(folder, name);
  const about = `ffmpeg version ${version}\\nlibavutil      ${library} / ${library}\\n`;
  await writeFile(
    file,
    `#!/bin/sh\ncase "$1" in -version) printf '${about}';; *) exec "${tools.ffmpeg}" "$@";; esac\n`,
  );
  await chmod(file, 0o755);
  return file;
}

test("finds an ffmpeg with all required features", async () => {
  const tools = await referenceTools();
  expect(path.isAbsolute(tools.ffmpeg)).toBe(true);
  expect(tools.version).not.toBe("");
  expect(["path", "bundled"]).toContain(tools.origin);
});

test("uses the configured ffmpeg", async () => {
  expect(await findMediaTools({ ffmpegPath: tools.ffmpeg })).toMatchObject({
    ffmpeg: tools.ffmpeg,
    origin: "configured",
  });
});

test.skipIf(process.platform === "win32")("reports why a configured ffmpeg cannot be used", async () => {
  for (const [version, library] of [
    ["4.1", "56. 22.100"],
    ["5.0.3", "57. 17.100"],
    ["10.0", "62.  1.100"],
  ] as const) {
    const ffmpegPath = await makeFfmpeg(`ffmpeg-${version}`, version, library);
    await expect(findMediaTools({ ffmpegPath })).rejects.toMatchObject({
      code: "no_tool",
      message: `FFMPEG_PATH (${ffmpegPath}) cannot be used: it is version ${version}, and Clipmill supports 5.1 to 9.`,
    });
  }
  await expect(findMediaTools({ ffmpegPath: path.join(folder, "absent") })).rejects.toMatchObject({ code: "no_tool" });
});

test.skipIf(findBundledFfmpeg() === null)(
  "prefers the bundled ffmpeg over an older one on PATH, but not over a newer one",
  async () => {
    await makeFfmpeg("ffmpeg", "5.1.9-0+deb12u1", "57. 28.100");
    vi.stubEnv("PATH", `${folder}${path.delimiter}${process.env["PATH"]}`);
    expect(await findMediaTools()).toMatchObject({ ffmpeg: findBundledFfmpeg(), origin: "bundled" });
    const newer = await makeFfmpeg("ffmpeg", "8.1.2-1", "60. 26.100");
    expect(await findMediaTools()).toMatchObject({ ffmpeg: newer, origin: "path", version: "8.1.2-1" });
    vi.unstubAllEnvs();
  },
);

test.skipIf(findBundledFfmpeg() === null)("rejects a bundled ffmpeg that differs from the released one", async () => {
  const changed = path.join(folder, "changed-ffmpeg");
  await writeFile(changed, "#!/bin/sh\ntouch harm\n");
  await chmod(changed, 0o755);
  vi.stubEnv("PATH", folder);
  await writeFile(path.join(folder, "ffmpeg"), "#!/bin/sh\nexit 1\n");
  const rejections: string[] = [];
  const onRejected = (sentence: string) => rejections.push(sentence);
  await expect(findMediaTools({ bundledFile: changed, onRejected })).rejects.toMatchObject({
    code: "no_tool",
    message: expect.stringContaining("its SHA-256 does not match this Clipmill release"),
  });
  expect(rejections).toHaveLength(2);
  vi.unstubAllEnvs();
});

test.skipIf(process.platform === "win32")(
  "hashes and runs a bundled program again only when its size or modification time changes",
  async () => {
    const rememberedFile = path.join(folder, "remembered.json");
    const program = await makeFfmpeg("program", "8.0.1", "60. 8.100");
    const sha256 = sha256Of(await readFile(program));
    const inspect = (expected = sha256) => inspectBundledFfmpeg(program, expected, rememberedFile);
    expect(await inspect(sha256Of("another"))).toBeNull();
    const first = await inspect();
    expect(first).toMatchObject({ file: program, origin: "bundled", version: "8.0.1", codecs: tools.codecs });
    expect((await stat(rememberedFile)).mode & 0o777).toBe(0o600);
    // Trusts the record without reading or running the program.
    const remembered = await readFile(rememberedFile, "utf8");
    await writeFile(rememberedFile, remembered.replace(sha256, sha256Of("another")).replace("8.0.1", "8.0.2"));
    expect(await inspect(sha256Of("another"))).toMatchObject({ version: "8.0.2" });
    // A partially written record.
    await writeFile(rememberedFile, remembered.slice(0, -10));
    expect(await inspect()).toEqual(first);
    expect(await readFile(rememberedFile, "utf8")).toBe(remembered);
    await writeFile(program, "# tampered with", { flag: "a" });
    expect(await inspect()).toBeNull();
  },
);

test.skipIf(findBundledFfmpeg() === null)("accepts the checksum of the bundled ffmpeg only", async () => {
  const copy = path.join(folder, "copy");
  await copyFile(findBundledFfmpeg()!, copy);
  const rememberedFile = path.join(folder, "remembered-copy.json");
  expect(await inspectBundledFfmpeg(copy, undefined, rememberedFile)).toMatchObject({ file: copy });
  await writeFile(copy, "one byte more", { flag: "a" });
  expect(await inspectBundledFfmpeg(copy, undefined, rememberedFile)).toBeNull();
});
