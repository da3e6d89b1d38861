/** The main workflow with quirks of real recordings: odd frame rates, no audio track, Matroska. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeTone } from "#tests/support/media/make-clip.ts";
import { readDecodeErrors, probeFile } from "#tests/support/media/measure.ts";

/** A folder with your own clips; the test is skipped if unset. */
const CLIPS = process.env.REAL_CLIPS;

test("outputs of real clips play and are as long as their sources", async () => {
  test.skip(!CLIPS, "Set REAL_CLIPS to a folder of clips to run this test.");
  if (!CLIPS) return;
  test.setTimeout(600_000);
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-real-"));
  const twin = await startDriveTwin();
  const names = (await readdir(CLIPS)).filter((name) => /\.(mp4|mkv|mov|webm)$/.test(name)).toSorted();
  for (const [i, name] of names.entries()) {
    twin.add({ id: `clip-${i}`, path: path.join(CLIPS, name), name, mimeType: "video/mp4" });
  }
  const music = path.join(folder, "music.mp3");
  await makeTone(music, { frequencyHz: 660, seconds: 4 });
  twin.add({ id: "music", path: music, name: "music.mp3", mimeType: "audio/mpeg" });
  const clipmill = await startInstalledClipmill(path.join(folder, "data"), twin.environment);
  try {
    const client = await signedInClient(clipmill.url);
    const job = await createJob(client, {
      input_videos: names.map((_, i) => twin.links(`clip-${i}`)),
      variants_per_video: 2,
      captions_enabled: true,
      custom_captions: ["Wait for the pour at the end", "Save this for later ☕"],
      audio_enabled: true,
      custom_audio_links: [twin.links("music")],
      audio_mode: "mix",
    });
    await expect.poll(() => hasEnded(client, job.id), { timeout: 540_000, intervals: [500] }).toBe(true);
    expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", error_message: null });
    const { data } = await client.from("job_outputs").select("*").eq("job_id", job.id);
    const outputs = data as { name: string; media_url: string }[];
    expect(outputs).toHaveLength(names.length * 2);
    for (const { name, media_url: link } of outputs) {
      const url = new URL(link, clipmill.url).href;
      expect(await readDecodeErrors(url), name).toBe("");
      const { streams, durationSeconds } = await probeFile(url);
      expect(streams.map((stream) => stream.type).toSorted(), name).toEqual(["audio", "video"]);
      const source = await probeFile(path.join(CLIPS, names[Number(name.slice(0, 3)) - 1]!));
      expect(Math.abs(durationSeconds - source.durationSeconds), name).toBeLessThanOrEqual(0.1);
    }
  } finally {
    await clipmill.stop();
    await twin.close();
    await rm(folder, { recursive: true, force: true });
  }
});
