import { randomBytes } from "node:crypto";
import { appendFile, copyFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import type { JobVideo } from "#contract/jobs/jobs.ts";
import type { TranscriptResponse, TranscriptsResponse } from "#contract/transcripts/transcripts.ts";
import { requireNothingLeft, rowsOf } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeRecording } from "#tests/support/media/sound/make-speech.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";

/** About as long as a job of two videos takes from its start. */
const JOB_MS = 4_000;

const folder = await makeScratchFolder();
const dataDir = path.join(folder, "data");
const talk = path.join(folder, "talk.mp4");
let drive: DriveTwin;
let openAi: OpenAiTwin;
let environment: Record<string, string>;
let clipmill: ClipmillProcess | null = null;

beforeAll(async () => {
  drive = await startDriveTwin();
  openAi = await startOpenAiTwin({ models: ["whisper-1"] });
  await makeRecording(talk, { language: "en", pauses: [0.5] }, "color=gray:s=180x320:r=10");
  openAi.transcribe(() => ({
    text: "Welcome back.",
    language: "english",
    words: [{ word: "Welcome", start: 0.5, end: 1 }],
  }));
  environment = { ...drive.environment, OPENAI_BASE_URL: openAi.url };
});
afterAll(async () => {
  await clipmill?.stop();
  await openAi.close();
  await drive.close();
});

testFault(
  {
    id: "kill-transcription",
    fault: "SIGKILL everything at a random moment of two jobs that show the speech of one video",
    expected: "one transcript, requested at most twice (the one in flight again), both jobs Completed, the edit kept",
    rounds: { short: 0, full: 40 },
    // transcribe-videos.test.ts cuts off an attempt.
    secondsPerRound: 90,
  },
  killAndRestart,
);

async function killAndRestart(round: number): Promise<void> {
  if (!clipmill) clipmill = await startInstalledClipmill(dataDir, environment);
  const client = await signedInClient(clipmill.url);
  await client.functions.invoke("settings", { body: { openai_key: TWIN_KEY } });
  openAi.transcriptions.length = 0;
  const id = `talk-${round}`;
  const file = path.join(folder, `${id}.mp4`);
  await copyFile(talk, file);
  // Another content: a box that players skip.
  await appendFile(file, Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("free"), randomBytes(16)]));
  drive.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4" });
  const request = { input_videos: [drive.links(id)], subtitles_enabled: true, subtitle_style: "word" };
  const jobs = [await createJob(client, request), await createJob(client, { ...request, subtitle_style: "line" })];
  await delay(Math.random() * JOB_MS);
  await clipmill.kill();
  clipmill = await startClipmillProcess(dataDir, environment);
  const again = await signedInClient(clipmill.url);
  for (const job of jobs) {
    await expect.poll(() => hasEnded(again, job.id), { timeout: 50_000 }).toBe(true);
    expect(await readJob(again, job.id)).toMatchObject({ status: "Completed", error_message: null });
    expect((await rowsOf<JobVideo>(again, "job_videos", job.id)).map(({ attempts }) => attempts <= 2)).toEqual([true]);
  }
  expect(openAi.transcriptions.length).toBeGreaterThan(0);
  expect(openAi.transcriptions.length).toBeLessThanOrEqual(2);
  await keepsEdit(jobs.map((job) => job.id));
  await requireNothingLeft(path.join(dataDir, "scratch"));
}

async function keepsEdit(jobIds: readonly string[]): Promise<void> {
  const client = await signedInClient(clipmill!.url);
  const call = async <Data>(body: object): Promise<Data> => {
    const { data, error } = await client.functions.invoke<Data>("transcripts", { body });
    if (error) throw error;
    return data!;
  };
  const found = await Promise.all(
    jobIds.map((job_id) => call<TranscriptsResponse>({ action: "list", job_id }).then(({ data }) => data)),
  );
  const ids = new Set(found.flat().map(({ id }) => id));
  expect([ids.size, found.map((own) => own.length)]).toEqual([1, [1, 1]]);
  const [id] = ids;
  const { data } = await call<TranscriptResponse>({ action: "read", id });
  const lines = data.lines.map((line) => ({ ...line, words: [{ ...line.words[0]!, text: "Edited" }] }));
  await call({ action: "update", id, revision: data.revision, lines });
  // Acknowledged, so no kill may lose it.
  await clipmill!.kill();
  clipmill = await startClipmillProcess(dataDir, environment);
  const after = await signedInClient(clipmill.url);
  const read = await after.functions.invoke<TranscriptResponse>("transcripts", { body: { action: "read", id } });
  expect(read.data!.data.lines[0]!.words[0]!.text).toBe("Edited");
}
