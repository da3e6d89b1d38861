import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, vi } from "vitest";
import type { AuditEntry, AuditResponse } from "#contract/calls.ts";
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, readJob, readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import {
  type ClipmillProcess,
  PASSWORD,
  type ProgramKind,
  startProgram,
} from "#tests/support/servers/clipmill-process.ts";
import { type FaultJobs, rowsOf } from "#tests/support/faults/fault-job.ts";
import { readDecodeErrors } from "#tests/support/media/measure.ts";

const ODD_NAME = 'Été 👩‍👩‍👧 \\ "quoted" \u{1F1E9}\u{1F1EA}';
const KEY = "AIza-0123456789abcdef";

/** Ids of an ended job, one in progress with its second video held, and a queued one. */
export type Written = { ended: string; atWork: string; waiting: string };

/** Requires WORKER_CONCURRENCY=1. */
export async function writeInstallation({ url }: ClipmillProcess, jobs: FaultJobs): Promise<Written> {
  const client = await signedInClient(url);
  // Hooks cannot use `expect.poll`.
  await vi.waitUntil(async () => (await readLibrary(client)).isReady, { timeout: 180_000 });
  const { error } = await client.functions.invoke("settings", {
    body: { google_drive_key: KEY, default_music_gain: 0.25 },
  });
  expect(error).toBeNull();
  const bucket = { kind: "s3", name: "Archive", region: "eu-west-1", access_key_id: "AKIA", secret_access_key: KEY };
  expect((await client.functions.invoke("connections", { body: { action: "create", ...bucket } })).error).toBeNull();
  expect((await client.from("caption_sets").insert({ name: ODD_NAME, captions: ["a,b", "🎬"] })).error).toBeNull();
  const preset = { name: ODD_NAME, settings: { variants_per_video: 3 } };
  expect((await client.from("presets").insert(preset)).error).toBeNull();
  const { data: domain } = await client.from("domains").insert({ name: "clips.example" }).select("id").single();
  const route = { domain_id: domain!.id as string, slug: "one", primary_url: "https://example.com/?a=1&b=ü" };
  expect((await client.from("routes").insert(route)).error).toBeNull();
  const ended = await createJob(client, { ...jobs.request("Ended"), job_name: ODD_NAME });
  await vi.waitUntil(() => hasEnded(client, ended.id), { timeout: 180_000 });
  jobs.hold("second");
  const atWork = await createJob(client, jobs.request("At work"));
  const isHeld = async (): Promise<boolean> => {
    const videos = await rowsOf<JobVideo>(client, "job_videos", atWork.id);
    return videos.some((video) => video.position === 1 && video.status === "Processing");
  };
  await vi.waitUntil(isHeld, { timeout: 180_000 });
  const waiting = await createJob(client, jobs.request("Waiting"));
  expect((await readJob(client, waiting.id)).status).toBe("Queued");
  return { ended: ended.id, atWork: atWork.id, waiting: waiting.id };
}

/** Requires all data and the earlier password, and that the jobs complete without intervention. */
export async function requireInstallation(
  { url }: ClipmillProcess,
  { ended, atWork, waiting }: Written,
  scratch: string,
): Promise<void> {
  const client = await signedInClient(url);
  expect(await readJob(client, ended)).toMatchObject({ status: "Completed", job_name: ODD_NAME });
  for (const id of [atWork, waiting]) {
    await expect.poll(() => hasEnded(client, id), { timeout: 180_000 }).toBe(true);
    expect(await readJob(client, id)).toMatchObject({ status: "Completed", error_message: null, retry_count: 0 });
  }
  for (const id of [ended, atWork, waiting]) await requireOutputs(client, { url, jobId: id, scratch });
  const { data: settings } = await client.functions.invoke("settings", { body: { method: "GET" } });
  expect(JSON.stringify(settings)).toContain('"last4":"cdef"');
  expect(settings).toMatchObject({ default_music_gain: 0.25 });
  const { data: connections } = await client.functions.invoke("connections", { body: { action: "list" } });
  expect(connections).toMatchObject({ data: [{ name: "Archive", last4: "cdef", needs_secret: false }] });
  const { data: sets } = await client.from("caption_sets").select("name, captions");
  expect(sets).toEqual([{ name: ODD_NAME, captions: ["a,b", "🎬"] }]);
  const { data: presets } = await client.from("presets").select("name, version, settings");
  expect(presets).toMatchObject([{ name: ODD_NAME, version: 1, settings: { variants_per_video: 3 } }]);
  const { data: routes } = await client.from("routes").select("slug, primary_url, domains(name)");
  expect(routes).toMatchObject([{ slug: "one", primary_url: "https://example.com/?a=1&b=ü" }]);
  const { data: library } = await readLibrary(client);
  expect(library.filter((file) => file.isSample).length).toBeGreaterThan(0);
}

/** Requires all outputs of a job of `openFaultJobs`; each must download and play. Returns the files. */
export async function requireOutputs(
  client: SupabaseClient,
  { url, jobId, scratch }: { url: string; jobId: string; scratch: string },
): Promise<string[]> {
  const files: string[] = [];
  const outputs = await rowsOf<JobOutput>(client, "job_outputs", jobId);
  expect(outputs.map(({ status }) => status)).toEqual(["Completed", "Completed", "Completed", "Completed"]);
  for (const output of outputs) {
    const response = await fetch(new URL(output.media_url!, url));
    expect(response.status).toBe(200);
    const file = path.join(scratch, `${output.id}.mp4`);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    expect(await readDecodeErrors(file)).toBe("");
    files.push(file);
  }
  return files;
}

/** Newest first, at most 100. */
export async function readAuditEntries(url: string): Promise<AuditEntry[]> {
  const client = await signedInClient(url);
  const { data, error } = await client.functions.invoke<AuditResponse>("audit", { method: "GET" });
  expect(error).toBeNull();
  return data!.data;
}

/** Returns the number of files uploaded until the abort. */
export async function keepUploading(url: string, clip: string, signal: AbortSignal): Promise<number> {
  const client = await signedInClient(url);
  const { data } = await client.auth.getSession();
  const bytes = await readFile(clip);
  let taken = 0;
  while (!signal.aborted) {
    // A trailing box, which readers ignore, makes each file's content unique.
    const body = Buffer.concat([bytes, freeBox(taken)]);
    const response = await fetch(`${url}/uploads?name=clip-${taken}.mp4&use=video`, {
      method: "POST",
      headers: { authorization: `Bearer ${data.session!.access_token}` },
      body,
    });
    expect(response.ok).toBe(true);
    taken += 1;
  }
  return taken;
}

function freeBox(mark: number): Buffer {
  const box = Buffer.alloc(12);
  box.writeUInt32BE(box.length, 0);
  box.write("free", 4);
  box.writeUInt32BE(mark, 8);
  return box;
}

/** Killed when its test ends. */
export async function startDisposable(
  dataDir: string,
  environment: Record<string, string> = {},
  kind: ProgramKind = "start",
): Promise<ClipmillProcess & AsyncDisposable> {
  const started = await startProgram(kind, dataDir, environment);
  return { ...started, [Symbol.asyncDispose]: () => started.kill() };
}

export function environmentOf(dataDir: string, more: Record<string, string> = {}): Record<string, string> {
  return { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ...more };
}
