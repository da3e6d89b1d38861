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
const lines: string[] = [];

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
    expect(response.status).toBe(200);
  }
  client = new Client({ name: "assistant", version: "1.0.0" });
  const requestInit = { headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${clipmill.url}/mcp`), { requestInit }));
});
afterAll(async () => {
  await client.close();
  await clipmill.stop();
});

const say = (who: string, text: string) => void lines.push(`${who}: ${text}`, "");

async function call(name: string, args: Facts = {}, onprogress?: (progress: number) => void): Promise<Facts> {
  const options = onprogress && { onprogress: ({ progress }: { progress: number }) => onprogress(progress) };
  const { content, isError } = await client.callTool({ name, arguments: args }, options);
  const { text } = (content as { text: string }[])[0]!;
  expect(isError, text).toBeFalsy();
  return JSON.parse(text) as Facts;
}

/** Also writes the call down, with the facts of its result that the assistant uses. */
async function noted(name: string, args: Facts, read: (result: Facts) => unknown): Promise<Facts> {
  const result = await call(name, args);
  lines.push(`→ ${name} ${JSON.stringify(args)}`, `← ${JSON.stringify(read(result))}`, "");
  return result;
}

async function waitFor(jobId: string): Promise<void> {
  for (;;) {
    const { has_ended: hasEnded } = await call("wait_for_job", { job_id: jobId, seconds: 60 });
    if (hasEnded) return;
  }
}

const linkOf = (files: LibraryFile[], name: string) => files.find((file) => file.name === name)!.link;

/** Differs between machines and runs. */
const VARYING = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>"],
  [/file\/d\/[\w-]+/g, "file/d/<file>"],
  [/http:\/\/127\.0\.0\.1:\d+|https:\/\/clips\.example\.com/g, "<server>"],
  [/"(seconds|size_bytes|sizeBytes)":\d+/g, '"$1":<number>'],
  [/\d+(?:\.\d+)? (kB|MB)/g, "<number> $1"],
  [/about \d+ s/g, "about <number> s"],
] as const;
const masked = (text: string) => VARYING.reduce((all, [pattern, mask]) => all.replace(pattern, mask), text);

it("makes three variants of two clips after showing the price, as the page says", async () => {
  const { files } = (await call("list_library")) as { files: LibraryFile[] };
  // A forecast needs one completed job.
  const first = await call("create_job", { name: "First", csv: `link\n${linkOf(files, "Market.mp4")}\n` });
  await waitFor(first["id"] as string);

  say("User", "Make 3 variants of these two clips, show me the price first: Harbor and Market.");
  const { tools } = await client.listTools();
  lines.push("→ tools/list", `← ${tools.map(({ name }) => name).join(", ")}`, "");
  await noted("list_library", { search: "r" }, ({ files: found }) =>
    (found as LibraryFile[])
      .filter(({ name }) => name in CLIPS)
      .map(({ name, link, durationSeconds }) => ({ name, link, durationSeconds })),
  );
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
  expect(await call("list_jobs")).toMatchObject({ total: 1 });

  say("User", "Yes, go ahead.");
  const created = await noted("create_job", job, ({ id, name, status, page, is_created }) => {
    return { id, name, status, page, is_created };
  });
  const id = created["id"] as string;
  const waited: Facts[] = [];
  const progress: number[] = [];
  do {
    waited.push(await call("wait_for_job", { job_id: id, seconds: 60 }, (done) => progress.push(done)));
  } while (waited.at(-1)!["has_ended"] !== true);
  expect(progress.every((done) => done >= 0 && done <= 100)).toBe(true);
  const { status, total_videos, failed_videos, has_ended } = waited.at(-1)!;
  lines.push(
    `→ wait_for_job ${JSON.stringify({ job_id: id, seconds: 60 })}`,
    `← ${JSON.stringify({ status, progress: 100, total_videos, failed_videos, has_ended })}`,
    "",
  );
  const shown = await noted("show_job", { job_id: id }, ({ outputs }) =>
    (outputs as Facts[]).map(({ name, status, caption }) => ({ name, status, caption })),
  );
  const sizes = (shown["outputs"] as { size_bytes: number }[]).map(({ size_bytes }) => size_bytes);
  const total = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_000);
  say("Assistant", `Done: 6 files, ${total} kB. Download them at ${created["page"] as string}`);

  const block = /^```text\n(.*?)^```$/ms.exec(await readFile(PAGE, "utf8"));
  const transcript = `${lines.join("\n").trim()}\n`;
  expect(masked(block?.[1] ?? ""), `docs/operations/assistants.md is stale. It should have:\n${transcript}`).toBe(
    masked(transcript),
  );
});
