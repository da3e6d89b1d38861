import path from "node:path";
import { Command } from "commander";
import { afterEach, expect, it, vi } from "vitest";
import { makeGpuFfmpeg } from "#tests/support/media/faulty/gpu-ffmpeg.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { addEncoderCommands } from "./encoder-commands.ts";

const folder = await makeScratchFolder();
const gpu = await makeGpuFfmpeg(folder);
const clip = path.join(folder, "clip.mp4");
await makeClip(clip, { width: 256, height: 256, seconds: 1 });
vi.stubEnv("FFMPEG_PATH", gpu.file);
afterEach(() => vi.restoreAllMocks());

/** Returns the lines that `clipmill encoder` prints. */
async function run(...args: string[]): Promise<string[]> {
  const print = vi.spyOn(console, "log").mockReturnValue();
  const program = new Command();
  addEncoderCommands(program);
  await program.parseAsync(["encoder", ...args], { from: "user" });
  return print.mock.calls.map(([line]) => String(line));
}

const COLUMNS =
  /^clip\.mp4 +(\w+) +\d+ frames\/s \([\d.]+\) +[\d.]+ s CPU \([\d.]+\) +\d+ kB \(([\d.]+)\) +VMAF +([\d.]+) \((.+)\)$/;

it("prints the speed, CPU time, size and VMAF of an encoder in each quality, against software", async () => {
  const lines = await run("h264_nvenc", "--clip", clip);
  const rows = lines.flatMap((line) => [COLUMNS.exec(line)?.slice(1) ?? []]).filter((row) => row.length > 0);
  expect(rows.map(([quality]) => quality)).toEqual(["draft", "standard", "high"]);
  for (const [, , vmaf] of rows) expect(Number(vmaf)).toBeGreaterThan(70);
  expect(lines.at(-1)).toMatch(/^\n8 encodes at the same time: \d+ frames\/s \([\d.]+\)$/);
});

it("finds that software equals itself", async () => {
  const lines = await run("software", "--clip", clip);
  const rows = lines.flatMap((line) => [COLUMNS.exec(line)?.slice(2) ?? []]).filter((row) => row.length > 0);
  expect(rows.map(([size, , difference]) => `${size} ${difference}`)).toEqual(Array(3).fill("1.00 +0.00"));
});

it("says why an encoder does not work, and which encoders there are", async () => {
  await gpu.behave("failsAtOnce");
  await expect(run("h264_nvenc")).rejects.toThrow(/^h264_nvenc does not work with .*: .*Cannot load libcuda\.so\.1/);
  await expect(run("nvenc")).rejects.toThrow("There is no encoder named nvenc. Clipmill has software, h264_nvenc,");
});
