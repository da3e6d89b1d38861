import { execFileSync } from "node:child_process";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "../probe/probe.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { downloaderEnvironment, mediaEnvironment, allLimits } from "./isolation.ts";

const folder = await makeScratchFolder();
const tools = await testTools();

const SECRETS = { ADMIN_PASSWORD: "p", APP_SECRET: "s", DATABASE_URL: "d", AWS_SECRET_ACCESS_KEY: "a" };
const DRIVERS = { LIBVA_DRIVER_NAME: "iHD", CUDA_VISIBLE_DEVICES: "0" };
const WAYS_OUT = { HOME: "/home/somebody", TMPDIR: "/tmp", HTTPS_PROXY: "http://proxy", no_proxy: "localhost" };

describe.skipIf(process.platform !== "linux")("environment of child processes", () => {
  const seen = path.join(folder, "seen");
  const spy = path.join(folder, "spying-ffmpeg");
  beforeEach(async () => {
    for (const [name, value] of Object.entries({ ...SECRETS, ...DRIVERS, ...WAYS_OUT, LANG: "C.UTF-8" }))
      vi.stubEnv(name, value);
    // Read from the kernel, without the shell's own variables.
    await writeFile(spy, `#!/bin/sh\ncat /proc/$$/environ >> ${seen}\nexec ${tools.ffmpeg} "$@"\n`);
    await writeFile(seen, "");
    await chmod(spy, 0o755);
  });
  afterEach(() => vi.unstubAllEnvs());
  const namesSeen = async () => {
    const variables = (await readFile(seen, "utf8")).split("\0").filter(Boolean);
    return new Set(variables.map((variable) => variable.split("=")[0]));
  };

  test("a render gets PATH and LANG", async () => {
    const args = ["-f", "lavfi", "-i", "color=s=16x16:d=0.1", "-f", "null", "-"];
    await runFfmpeg({ ...tools, ffmpeg: spy }, { step: "test", args });
    expect(await namesSeen()).toEqual(new Set(["LANG", "PATH"]));
  });

  test("a probe gets PATH and LANG", async () => {
    const clip = path.join(folder, "clip.mp4");
    await makeClip(clip, { seconds: 0.2 });
    await probe({ ...tools, ffmpeg: spy }, clip);
    expect(await namesSeen()).toEqual(new Set(["LANG", "PATH"]));
  });

  test("a hardware encoder also gets its driver's variables", () => {
    expect(Object.keys(mediaEnvironment("h264_vaapi"))).toEqual(expect.arrayContaining(Object.keys(DRIVERS)));
    expect(Object.keys(mediaEnvironment("h264_vaapi"))).not.toEqual(expect.arrayContaining(["HOME"]));
  });

  test("a download also gets its home and the proxies", () => {
    const env = downloaderEnvironment();
    expect(env).toMatchObject(WAYS_OUT);
    for (const name of [...Object.keys(SECRETS), ...Object.keys(DRIVERS)]) expect(env).not.toHaveProperty(name);
  });
});

test.skipIf(process.platform !== "linux")("a program does not start after its parent has died", async () => {
  const started = path.join(folder, "started");
  const command = [...allLimits(), "touch", started];
  // As if this process died between fork and setpriv: the parent is another process.
  const adopted = await execa("sh", ["-c", '"$@"; exit $?', "sh", ...command], { reject: false });
  expect(adopted.exitCode).toBe(1);
  await expect(stat(started)).rejects.toMatchObject({ code: "ENOENT" });
  await execa(command[0]!, command.slice(1));
  expect((await stat(started)).isFile()).toBe(true);
});

test.skipIf(process.platform !== "linux")(
  "reports the limits that cannot be set when their programs are missing",
  () => {
    const module = fileURLToPath(new URL("isolation.ts", import.meta.url));
    const script = `import { missingLimits } from ${JSON.stringify(module)}; console.log(JSON.stringify(missingLimits()))`;
    const args = ["--input-type=module", "-e", script];
    const missing = execFileSync(process.execPath, args, {
      cwd: process.cwd(),
      env: { PATH: folder },
      encoding: "utf8",
    });
    expect(JSON.parse(missing)).toEqual(["memory", "network"]);
  },
);
