import { readdir } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, vi } from "vitest";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import { readJob } from "../servers/client.ts";
import { startDriveTwin } from "../twins/google-drive/google-drive-twin.ts";
import { makeClip, makeTone } from "../media/make-clip.ts";
import { durations, readDecodeErrors, processesNaming } from "../media/measure.ts";

const SECONDS = 1.5;
const VIDEOS = ["first", "second"];
const VARIANTS = 2;

export type FaultJobs = {
  environment: Record<string, string>;
  /** Two videos in two variants, with captions and music. `mark` in the captions prevents cache hits. */
  request(mark: string): Partial<CreateJobRequest> & Pick<CreateJobRequest, "input_videos">;
  /** Sends only half of a video ("first" or "second") until it is released. */
  hold(id: string): void;
  release(id: string): void;
  close(): Promise<void>;
};

export async function openFaultJobs(folder: string): Promise<FaultJobs> {
  const twin = await startDriveTwin();
  const fileOf = (id: string) => path.join(folder, `${id}.mp4`);
  const add = (id: string, kind: "normal" | "gated") =>
    twin.add({ id, path: fileOf(id), name: `${id}.mp4`, mimeType: "video/mp4", behaviour: { kind } });
  for (const id of VIDEOS) {
    // Distinct content: identical files would share one stored file.
    await makeClip(fileOf(id), { width: 216, height: 384, seconds: SECONDS, toneHz: id === "first" ? 440 : 660 });
    add(id, "normal");
  }
  const music = path.join(folder, "music.m4a");
  await makeTone(music, { frequencyHz: 880, seconds: 1 });
  twin.add({ id: "music", path: music, name: "music.m4a", mimeType: "audio/mp4" });
  return {
    environment: twin.environment,
    request: (mark) => ({
      input_videos: VIDEOS.map((id) => twin.links(id)),
      variants_per_video: VARIANTS,
      captions_enabled: true,
      custom_captions: [`${mark}, one`, `${mark}, two`],
      audio_enabled: true,
      audio_mode: "mix",
      // Part of the mix and therefore of its stream key.
      music_gain: 0.5 + Math.random() / 2,
      custom_audio_links: [twin.links("music")],
    }),
    hold: (id) => add(id, "gated"),
    release(id) {
      twin.release(id);
      add(id, "normal");
    },
    close: () => twin.close(),
  };
}

/** Expects exactly the outputs of a job without faults, intact, and no other files in `storageRoot`. */
export async function requireIntact(client: SupabaseClient, jobId: string, storageRoot: string): Promise<void> {
  expect(await readJob(client, jobId)).toMatchObject({ status: "Completed", error_message: null, progress: 100 });
  const videos = await rowsOf<JobVideo>(client, "job_videos", jobId);
  expect(videos.map((video) => video.status)).toEqual(VIDEOS.map(() => "Completed"));
  const outputs = await rowsOf<JobOutput>(client, "job_outputs", jobId);
  const names = VIDEOS.flatMap((id, i) => [1, 2].map((variant) => `00${i + 1}-v${variant}-${id}.mp4`));
  expect(outputs.map((output) => output.name).toSorted()).toEqual(names);
  expect(outputs.map((output) => output.status)).toEqual(names.map(() => "Completed"));
  // Retries store files next to those of the earlier attempt.
  const entries = await readdir(path.join(storageRoot, "outputs", jobId), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.map((file) => file.name).toSorted(), "files in storage").toEqual(names);
  // One per picture; here, each output has a different caption.
  expect(await readdir(path.join(storageRoot, "thumbnails", jobId))).toHaveLength(names.length);
  expect(await readdir(path.join(storageRoot, ".incoming"))).toEqual([]);
  for (const { name, parentPath } of files) {
    const file = path.join(parentPath, name);
    expect(await readDecodeErrors(file), `faults of ${name}`).toBe("");
    const { video, audio } = await durations(file);
    expect(Math.abs(video - SECONDS), `${name}: ${video} s of picture`).toBeLessThanOrEqual(0.1);
    expect(Math.abs(audio - SECONDS), `${name}: ${audio} s of sound`).toBeLessThanOrEqual(0.1);
  }
}

/** Expects no files in `scratch`, and no process that uses it. */
export async function requireNothingLeft(scratch: string): Promise<void> {
  const isQuiet = async (): Promise<boolean> => (await readLeft(scratch)).length === 0;
  // Not `expect.poll`, which supports only one test at a time.
  await vi.waitUntil(isQuiet, { timeout: 15_000 }).catch(() => {});
  expect(await readLeft(scratch), "left in scratch").toEqual([]);
}

async function readLeft(folder: string): Promise<(string | number)[]> {
  return [...(await processesNaming(folder)), ...(await readdir(folder).catch(() => []))];
}

/** `table` needs a column `job_id`. Throws the server's error. */
export async function rowsOf<Row>(client: SupabaseClient, table: string, jobId: string): Promise<Row[]> {
  const { data, error } = await client.from(table).select("*").eq("job_id", jobId);
  if (error) throw error;
  return data as Row[];
}
