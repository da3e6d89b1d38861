/**
 * Holds the conversation of docs/operations/assistants.md with a real Clipmill, through the official client over HTTP.
 * There is no model: the assistant's calls are scripted, and its sentences are made from their results.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiToken } from "#tests/support/servers/api-token.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, startSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";

const PAGE = path.resolve(import.meta.dirname, "../docs/operations/assistants.md");
const CLIPS = { "Harbor.mp4": 2, "Market.mp4": 1.5 };

type Facts = Record<string, unknown>;
type LibraryFile = { name: string; link: string; durationSeconds: number };

let clipmill: SeededClipmill;
let client: Client;
let lines: string[] = [];

beforeAll(async () => {
  clipmill = await startSeededClipmill();
  const token = await createApiToken(await signedInClient(clipmill.url));
  const headers = { Authorization: `Bearer ${token}` };
  for (const [name, seconds] of Object.entries(CLIPS)) {
    const file = path.join(clipmill.folder, name);
    await makeClip(file, { width: 180, height: 320, seconds, toneHz: null });
    const body = await readFile(file);
    const upload = `${clipmill.url}/uploads?use=video&name=${encodeURIComponent(name)}`;
    const response = await fetch(upload, { method: "POST", headers, body });
    if (!response.ok) throw new Error(await response.text());
  }
  client = new Client({ name: "assistant", version: "1.0.0" });
  const requestInit = { headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${clipmill.url}/mcp`), { requestInit }));
});
afterAll(async () => {
  await client.close();
  await clipmill.stop();
});

/** JSON with one fact per line, or one object of a list. */
function show(facts: unknown): string {
  if (typeof facts !== "object" || facts === null) return JSON.stringify(facts);
  if (Array.isArray(facts)) return `[\n${facts.map((fact) => `    ${JSON.stringify(fact)}`).join(",\n")}\n  ]`;
  const entries = Object.entries(facts).map(([name, fact]) => {
    const isList = Array.isArray(fact) && typeof fact[0] === "object";
    return `  "${name}": ${isList ? show(fact) : JSON.stringify(fact)}`;
  });
  return entries.length === 0 ? "{}" : `{\n${entries.join(",\n")}\n}`;
}

const say = (who: string, text: string) => void lines.push(`${who}: ${text}`, "");

async function call(name: string, args: Facts = {}, onprogress?: (progress: number) => void): Promise<Facts> {
  const options = onprogress && { onprogress: ({ progress }: { progress: number }) => onprogress(progress) };
  const { content, isError } = await client.callTool({ name, arguments: args }, options);
  const { text } = (content as { text: string }[])[0]!;
  if (isError) throw new Error(text);
  return JSON.parse(text) as Facts;
}

/** Also writes the call down, with the facts of its result that the assistant uses. */
async function noted(name: string, args: Facts, read: (result: Facts) => unknown): Promise<Facts> {
  const result = await call(name, args);
  lines.push(`→ ${name} ${show(args)}`, `← ${show(read(result))}`, "");
  return result;
}

/** Returns the last result. */
async function waitFor(jobId: string, onprogress?: (progress: number) => void): Promise<Facts> {
  for (;;) {
    const waited = await call("wait_for_job", { job_id: jobId, seconds: 60 }, onprogress);
    if (waited["has_ended"] === true) return waited;
  }
}

/** A forecast needs a completed job that took a second; this machine may be faster. */
async function completeFirstJob(link: string): Promise<void> {
  const csv = `link,caption\n${link},Hello\n`;
  const { id } = (await call("create_job", { name: "First", csv, again: true })) as { id: string };
  await waitFor(id);
  const started = Date.now() - 60_000;
  const times = { started_at: new Date(started).toISOString(), ended_at: new Date(started + 2_000).toISOString() };
  await clipmill.db.updateTable("job_videos").set(times).where("job_id", "=", id).execute();
}

const linkOf = (files: LibraryFile[], name: string) => files.find((file) => file.name === name)!.link;

/** Differs between machines and runs. */
const VARYING = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>"],
  [/file\/d\/[\w-]+/g, "file/d/<file>"],
  [/http:\/\/127\.0\.0\.1:\d+|https:\/\/clips\.example\.com/g, "<server>"],
  [/"(seconds|size_bytes)": ?\d+/g, '"$1":<number>'],
  [/\d+(?:\.\d+)? (kB|MB)/g, "<number> $1"],
  [/about \d+ s/g, "about <number> s"],
] as const;
const masked = (text: string) => VARYING.reduce((all, [pattern, mask]) => all.replace(pattern, mask), text);

it("makes three variants of two clips after showing the price, as the page says", async () => {
  // Of an earlier try.
  await clipmill.db.deleteFrom("jobs").execute();
  const { files } = (await call("list_library")) as { files: LibraryFile[] };
  await completeFirstJob(linkOf(files, "Market.mp4"));
  const { total } = await call("list_jobs");

  lines = [];
  say("User", "Make 3 variants of these two clips, show me the price first: Harbor and Market.");
  const { tools } = await client.listTools();
  lines.push("→ tools/list", `← ${tools.map(({ name }) => name).join(", ")}`, "");
  await noted("list_library", {}, ({ files: found }) => ({
    files: (found as LibraryFile[])
      .filter(({ name }) => name in CLIPS)
      .map(({ name, link, durationSeconds }) => ({ name, link, durationSeconds })),
  }));
  const job = {
    name: "Harbor and Market",
    csv: `link\n${linkOf(files, "Harbor.mp4")}\n${linkOf(files, "Market.mp4")}\n`,
    settings: { variants_per_video: 3, custom_captions: ["Slow mornings", "Fresh today", "See you there"] },
  };
  const planned = await noted("create_job", { ...job, dry_run: true }, (result) => {
    const { plan, forecast, captions, problem_count, is_created } = result;
    return { plan, forecast, captions, problem_count, is_created };
  });
  const forecast = planned["forecast"] as Record<string, number>;
  expect(forecast).toMatchObject({ files: 6, different_files: 6, output_seconds: 10.5 });
  say(
    "Assistant",
    `${forecast["files"]} files, ${forecast["output_seconds"]} s of video in all, about ${Math.ceil(forecast["size_bytes"]! / 1_000)} kB, done in about ${forecast["seconds"]} s. Jobs cost no money. Each clip gets the captions “Slow mornings”, “Fresh today” and “See you there”. Shall I start?`,
  );
  expect(await call("list_jobs")).toMatchObject({ total });

  say("User", "Yes, go ahead.");
  const created = await noted("create_job", job, ({ id, name, status, page, is_created }) => {
    return { id, name, status, page, is_created };
  });
  const id = created["id"] as string;
  const reported: number[] = [];
  const { status, progress, total_videos, failed_videos, has_ended } = await waitFor(id, (each) => reported.push(each));
  expect(reported.length).toBeGreaterThan(0);
  const ended = { status, progress, total_videos, failed_videos, has_ended };
  lines.push(`→ wait_for_job ${show({ job_id: id, seconds: 60 })}`, `← ${show(ended)}`, "");
  const shown = await noted("show_job", { job_id: id }, ({ outputs }) => ({
    outputs: (outputs as Facts[]).map(({ name, status, caption }) => ({ name, status, caption })),
  }));
  const sizes = (shown["outputs"] as { size_bytes: number }[]).map(({ size_bytes }) => size_bytes);
  const kilobytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_000);
  say("Assistant", `Done: 6 files, ${kilobytes} kB. Download them at ${created["page"] as string}`);

  const transcript = `${lines.join("\n").trim()}\n`;
  const shownOnPage = /^```text\n(.*?)^```$/ms.exec(await readFile(PAGE, "utf8"))?.[1] ?? "";
  if (masked(shownOnPage) !== masked(transcript))
    console.log(`Write into docs/operations/assistants.md:\n${transcript}`);
  expect(masked(shownOnPage)).toBe(masked(transcript));
});
