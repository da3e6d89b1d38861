/** Kills and repeats `clipmill jobs create --from`: one job, every file once. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect } from "vitest";
import type { AuditResponse, ListJobsResponse } from "#contract/calls.ts";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { rowsOf } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { type CommandResult, startCommand } from "#tests/support/run-command.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";

const ROWS = 100;
const KILLS = 10;
const CLIPS = ["one", "two", "three"];

const folder = await makeScratchFolder();
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let environment: Record<string, string>;

beforeAll(async () => {
  for (const [place, name] of CLIPS.entries()) {
    const options = { width: 96, height: 160, framesPerSecond: 10, seconds: 1, toneHz: 300 + place * 100 };
    await makeClip(path.join(folder, `${name}.mp4`), options);
  }
  clipmill = await startTemporaryClipmill();
  client = await signedInClient(clipmill.url);
  environment = { CLIPMILL_SERVER: clipmill.url, CLIPMILL_TOKEN: await createApiToken(client), HOME: folder };
  // The very first start, if no other test has made it, takes a minute on a busy machine.
}, 300_000);
afterAll(() => clipmill.stop());

testFault(
  {
    id: "kill-command-line",
    fault: `SIGKILL ${KILLS} times during \`clipmill jobs create --from\` with ${ROWS} rows, then the same command`,
    expected: "one job, every file once and intact",
    // tests/command-line/commands.test.ts repeats the command, download-file.test.ts continues a partial download.
    rounds: { short: 0, full: 5 },
    secondsPerRound: 1_800,
  },
  killAndRepeat,
);

async function killAndRepeat(round: number): Promise<Record<string, number>> {
  const name = `Round ${round}`;
  const out = path.join(folder, `out-${round}`);
  await mkdir(out);
  const table = path.join(folder, `rows-${round}.csv`);
  // Rendering is not tested, so most rows are copies of their source.
  const captionOf = (row: number): string => (row % 10 === 0 ? `Caption ${round}.${row}` : "");
  const rows = Array.from({ length: ROWS }, (_, row) => `${CLIPS[row % 3]}.mp4,${captionOf(row)},SKU-${row}`);
  await writeFile(table, ["link,caption,sku", ...rows].join("\n"));
  const words = ["jobs", "create", "--from", table, "--name", name];
  words.push("--setting", "name_pattern={row.sku}", "--download", out, "--json");

  let killed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) if (await killAtMoment(words, kill)) killed += 1;
  const before = await readFiles(out);
  const startedMs = performance.now();
  const last = await startCommand(words, environment).ended;
  expect(last).toMatchObject({ code: 0, stderr: expect.stringContaining("is completed") });
  const seconds = (performance.now() - startedMs) / 1_000;

  const jobs = await listJobs(name);
  expect(jobs.map((job) => [job.job_name, job.status])).toEqual([[name, "Completed"]]);
  const outputs = await rowsOf<JobOutput>(client, "job_outputs", jobs[0]!.id);
  expect(outputs).toHaveLength(ROWS);
  const after = await readFiles(out);
  const made = outputs.map((output) => `${output.name} ${output.sha256}`);
  const videos = [...after].filter(([file]) => file.endsWith(".mp4"));
  expect(videos.map(([file, { sha256 }]) => `${file} ${sha256}`).toSorted()).toEqual(made.toSorted());
  const manifests = ["csv", "json"].map((format) => `${jobs[0]!.id}-manifest.${format}`);
  expect([...after.keys()].filter((file) => !file.endsWith(".mp4")).toSorted()).toEqual(manifests);
  // Files of an earlier run were not downloaded again.
  const kept = [...before].filter(([file]) => file.endsWith(".mp4") && !file.startsWith("."));
  for (const [file, { inode }] of kept) expect(after.get(file)!.inode).toBe(inode);
  expect((await readLibrary(client)).data.filter((file) => !file.isSample)).toHaveLength(CLIPS.length);
  expect(await countCreated()).toBe(round + 1);

  // Everything is there, so nothing happens.
  expect(eventsOf(await startCommand(words, environment).ended, "file").map(({ was }) => was)).toEqual(
    outputs.map(() => "kept"),
  );
  return { "runs killed": killed, "files kept by the last run": kept.length, "seconds of the last run": seconds };
}

/** Returns false if the run ended before. */
async function killAtMoment(words: string[], kill: number): Promise<boolean> {
  const { child, ended } = startCommand(words, environment);
  const moments = ["file", "start", "upload", "job", "progress"] as const;
  const moment = moments[kill % moments.length]!;
  const wanted = moment === "file" || moment === "progress" ? 1 + Math.floor(Math.random() * ROWS * 0.5) : 1;
  let seen = 0;
  if (moment === "start") child.kill("SIGKILL");
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const { event, was } = JSON.parse(line) as { event: string; was?: string };
    seen += event === moment && (moment !== "file" || was === "new") ? 1 : 0;
    if (seen === wanted) child.kill("SIGKILL");
  });
  return (await ended).code === null;
}

function eventsOf({ stdout }: CommandResult, event: string): Record<string, unknown>[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((each) => each["event"] === event);
}

type FileFacts = { sha256: string; inode: number };

async function readFiles(below: string): Promise<Map<string, FileFacts>> {
  const facts = new Map<string, FileFacts>();
  for (const file of await readdir(below)) {
    const at = path.join(below, file);
    const sha256 = createHash("sha256")
      .update(await readFile(at))
      .digest("hex");
    facts.set(file, { sha256, inode: (await stat(at)).ino });
  }
  return facts;
}

async function listJobs(search: string) {
  const body = { action: "list", page: "1", limit: "100", search };
  const { data } = await client.functions.invoke<ListJobsResponse>("jobs", { body });
  return data!.jobs;
}

async function countCreated(): Promise<number> {
  const { data } = await client.functions.invoke<AuditResponse>("audit", { method: "GET" });
  return data!.data.filter(({ action }) => action === "job.create").length;
}
