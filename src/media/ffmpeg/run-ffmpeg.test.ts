import { spawn } from "node:child_process";
import { chmod, readFile, readlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { pretendUsac } from "#tests/support/media/faulty/broken-media.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { missingLimits } from "../launch/isolation.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const tools = await testTools();
/** In real time. */
const endless = (name: string) => ["-re", "-f", "lavfi", "-i", "testsrc2=s=160x120", "-c:v", "libx264", file(name)];

test("returns the seconds written and reports progress", async () => {
  const reported: number[] = [];
  const args = ["-f", "lavfi", "-i", "testsrc2=s=160x120:d=2", "-c:v", "libx264", file("short.mp4")];
  const seconds = await runFfmpeg(tools, { step: "test", args, onProgress: (at) => reported.push(at) });
  expect(seconds).toBeCloseTo(2, 0);
  expect(reported.length).toBeGreaterThan(0);
});

test("a failure includes the step, the exit code and the tail of stderr", async () => {
  await expect(
    runFfmpeg(tools, { step: "test", args: ["-i", file("absent.mp4"), file("x.mp4")] }),
  ).rejects.toMatchObject({
    code: "render_failed",
    message: "The video could not be rendered.",
    facts: { step: "test", cancelled: false },
    tail: expect.stringContaining("absent.mp4"),
  });
});

async function failureOf(args: string[], ffmpeg = tools.ffmpeg): Promise<unknown[]> {
  const run = runFfmpeg({ ...tools, ffmpeg }, { step: "test", args });
  const error: unknown = await run.catch((caught: unknown) => caught);
  return error instanceof ClipmillError ? [error.code, error.isRetryable] : [error];
}

test("a content error is permanent, a machine error may be temporary", async () => {
  await makeTone(file("tone.m4a"), { frequencyHz: 500, seconds: 0.2 });
  await pretendUsac(file("tone.m4a"), file("usac.m4a"));
  // ffmpeg 7.1 and newer decode USAC, but these are not USAC samples.
  expect(await failureOf(["-i", file("usac.m4a"), "-f", "null", "-"])).toContain(false);
  expect(await failureOf(["-i", file("tone.m4a"), "-af", "atempo=tempo=1000", "-f", "null", "-"])).toContain(false);
  const ending = async (name: string, signal: string) => {
    await writeFile(file(name), `#!/bin/sh\nkill -${signal} $$\n`);
    await chmod(file(name), 0o755);
    return failureOf([], file(name));
  };
  expect(await ending("crashing-ffmpeg", "SEGV")).toEqual(["unrenderable", false]);
  expect(await ending("killed-ffmpeg", "KILL")).toEqual(["render_failed", true]);
});

test("a cancelled run rejects as cancelled and leaves no ffmpeg", async () => {
  const controller = new AbortController();
  const args = endless("cancelled.mkv");
  const run = runFfmpeg(tools, { step: "test", args, signal: controller.signal, onProgress: () => controller.abort() });
  await expect(run).rejects.toMatchObject({ code: "cancelled" });
  expect(await processesNaming(file("cancelled.mkv"))).toEqual([]);
});

test("a render cancelled midway rejects as cancelled and leaves no ffmpeg", async () => {
  const source = file("long.mp4");
  await makeClip(source, { seconds: 60, width: 640, height: 360, color: "gray" });
  const controller = new AbortController();
  const onProgress = (share: number) => share > 0 && controller.abort();
  const request = { source, captions: ["One", "Two"], variants: 2, signal: controller.signal, onProgress };
  const run = renderClip(file("render"), request);
  await expect(run).rejects.toMatchObject({ code: "cancelled" });
  expect(await processesNaming(folder)).toEqual([]);
});

test("a stalled run is killed", async () => {
  // The second frame is due in 1,000 s.
  const args = [
    "-f",
    "lavfi",
    "-i",
    "color=s=16x16:r=1/1000,realtime=limit=10000",
    "-c:v",
    "libx264",
    file("stalled.mp4"),
  ];
  await expect(runFfmpeg({ ...tools, stallSeconds: 1 }, { step: "test", args })).rejects.toMatchObject({
    code: "render_failed",
    message: "Rendering stalled and was stopped.",
    facts: { stalled: true },
  });
  expect(await processesNaming(file("stalled.mp4"))).toEqual([]);
});

test("an ffmpeg that ignores SIGTERM is killed half a second later", async () => {
  const stubborn = file("stubborn-ffmpeg");
  // Reports progress and never exits.
  await writeFile(
    stubborn,
    "#!/bin/sh\ntrap '' TERM\nn=0\nwhile :; do n=$((n+1)); echo frame=$n; echo out_time_us=$n; echo progress=continue; sleep 0.05; done\n",
  );
  await chmod(stubborn, 0o755);
  const controller = new AbortController();
  let askedAt = 0;
  const onProgress = () => {
    askedAt ||= performance.now();
    controller.abort();
  };
  const run = runFfmpeg(
    { ...tools, ffmpeg: stubborn },
    { step: "test", args: [], signal: controller.signal, onProgress },
  );
  await expect(run).rejects.toMatchObject({ code: "cancelled" });
  const milliseconds = performance.now() - askedAt;
  expect(milliseconds).toBeGreaterThan(450);
  expect(milliseconds).toBeLessThan(2_000);
  expect(await processesNaming(stubborn)).toEqual([]);
});

test.skipIf(process.platform !== "linux")("a full disk during a run rejects as no_space", async () => {
  const args = ["-f", "lavfi", "-i", "testsrc2=s=160x120:d=2", "-c:v", "libx264", "-f", "matroska", "/dev/full"];
  await expect(runFfmpeg(tools, { step: "test", args })).rejects.toMatchObject({
    code: "no_space",
    message: "There is no space left on the disk.",
  });
});

test.skipIf(process.platform !== "linux")("ffmpeg has a memory limit", async () => {
  const controller = new AbortController();
  const run = runFfmpeg(tools, { step: "test", args: endless("limited.mkv"), signal: controller.signal });
  // prlimit carries the same command line, for a moment without the limit.
  await expect.poll(() => limitsOf(file("limited.mkv")), { timeout: 20_000 }).toMatch(/Max data size\s+6442450944/);
  controller.abort();
  await expect(run).rejects.toMatchObject({ code: "cancelled" });
});

/** By a file in the command line; "" without a process. */
async function limitsOf(name: string): Promise<string> {
  const [id] = await processesNaming(name);
  return id === undefined ? "" : await readFile(`/proc/${id}/limits`, "utf8").catch(() => "");
}

test("ffmpeg runs in an empty network namespace", async (context) => {
  context.skip(missingLimits().includes("network"), "This system allows no network namespaces.");
  const spy = file("spying-ffmpeg");
  await writeFile(spy, `#!/bin/sh\nexec readlink /proc/self/ns/net > ${file("network")}\n`);
  await chmod(spy, 0o755);
  await runFfmpeg({ ...tools, ffmpeg: spy }, { step: "test", args: [] });
  const network = (await readFile(file("network"), "utf8")).trim();
  expect(network).toMatch(/^net:/);
  expect(network).not.toBe(await readlink("/proc/self/ns/net"));
});

test.skipIf(process.platform !== "linux")("ffmpeg dies with its parent, even after SIGKILL", async () => {
  const module = fileURLToPath(new URL("run-ffmpeg.ts", import.meta.url));
  const args = JSON.stringify(endless("orphan.mkv"));
  const script = `import { runFfmpeg } from ${JSON.stringify(module)};
    await runFfmpeg({ ffmpeg: ${JSON.stringify(tools.ffmpeg)}, codecs: { decoders: "" } }, { step: "test", args: ${args} });`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: process.cwd(),
    stdio: "ignore",
  });
  // The parent's own command line contains the file too.
  const children = async () => (await processesNaming(file("orphan.mkv"))).filter((id) => id !== parent.pid);
  await vi.waitUntil(async () => (await children()).length > 0, { timeout: 20_000 });
  parent.kill("SIGKILL");
  await expect.poll(children, { timeout: 5_000 }).toEqual([]);
});
