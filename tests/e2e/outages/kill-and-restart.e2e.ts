import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { PASSWORD, runClipmillToItsEnd, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive-twin.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { readDecodeErrors, probeFile, processesNaming } from "#tests/support/media/measure.ts";
import { makeSlowFfmpeg } from "#tests/support/media/slow-ffmpeg.ts";

let folder: string;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-kill-"));
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

test("a job killed with kill -9 completes after the restart with exactly its outputs", async () => {
  const twin = await startDriveTwin();
  const dataDir = path.join(folder, "data");
  const ffmpeg = await makeSlowFfmpeg(folder);
  const environment = {
    ...twin.environment,
    ...ffmpeg.environment,
  };
  const seconds = 3;
  for (const id of ["first", "second"]) {
    const file = path.join(folder, `${id}.mp4`);
    await makeClip(file, { width: 180, height: 320, seconds });
    twin.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4" });
  }
  const before = await startInstalledClipmill(dataDir, environment);
  const client = await signedInClient(before.url);
  await ffmpeg.slowDown(10);
  const job = await createJob(client, {
    input_videos: [twin.links("first"), twin.links("second")],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["One", "Two"],
  });
  await expect.poll(async () => (await readJob(client, job.id)).progress, { timeout: 60_000 }).toBeGreaterThan(5);
  expect(await processesNaming(path.join(dataDir, "scratch"))).not.toEqual([]);
  await before.kill();
  await expect
    .poll(() => processesNaming(path.join(dataDir, "scratch")), { message: "no ffmpeg of the dead process is left" })
    .toEqual([]);

  await ffmpeg.hurry();
  const after = await startClipmillProcess(dataDir, environment);
  try {
    const again = await signedInClient(after.url);
    await expect.poll(() => hasEnded(again, job.id), { timeout: 120_000 }).toBe(true);
    expect(await readJob(again, job.id)).toMatchObject({ status: "Completed", error_message: null, progress: 100 });
    const { data } = await again.from("job_outputs").select("*").eq("job_id", job.id);
    const outputs = data as { name: string; media_url: string; status: string }[];
    expect(outputs.map((output) => output.name).toSorted()).toEqual([
      "001-v1-first.mp4",
      "001-v2-first.mp4",
      "002-v1-second.mp4",
      "002-v2-second.mp4",
    ]);
    for (const output of outputs) {
      expect(output.status).toBe("Completed");
      const url = new URL(output.media_url, after.url).href;
      expect(await readDecodeErrors(url)).toBe("");
      expect(Math.abs((await probeFile(url)).durationSeconds - seconds)).toBeLessThanOrEqual(0.1);
    }
  } finally {
    await after.stop();
    await twin.close();
  }
});

test("a second process on the same data directory refuses to start, with one sentence", async () => {
  const dataDir = path.join(folder, "shared");
  const first = await startInstalledClipmill(dataDir);
  const second = await runClipmillToItsEnd(dataDir);
  expect(second.code).toBe(1);
  // With a database on a server, the sentence names the program, because each has its own data directory.
  expect(second.stderr.trim().replace("Clipmill server", "Clipmill")).toBe(
    `Another Clipmill is already running on ${dataDir}; stop it, or set DATA_DIR to another folder.`,
  );
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
  expect(await first.stop()).toBe(0);
});

test("one Ctrl-C, forwarded by terminal, npm and launcher, stops Clipmill cleanly", async () => {
  const clipmill = await startInstalledClipmill(path.join(folder, "stopped"));
  for (let echo = 0; echo < 3; echo += 1) process.kill(clipmill.pid, "SIGINT");
  expect(await clipmill.stop()).toBe(0);
});

test("an invalid configuration is refused, and every invalid setting is named", async () => {
  const refused = await runClipmillToItsEnd(path.join(folder, "faulty"), {
    PORT: "abc",
    LOG_LEVEL: "loud",
    ADMIN_PASSWORD: PASSWORD,
  });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("PORT");
  expect(refused.stderr).toContain("LOG_LEVEL");
});
