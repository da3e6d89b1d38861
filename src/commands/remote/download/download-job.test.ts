import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sha256Of } from "#ground/checksum.ts";
import { mountSmallDisk, unmountSmallDisk } from "#tests/support/faults/machine/small-disk.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { createApiClient } from "../api/api-client.ts";
import type { Session } from "../session.ts";
import { openTerminal } from "../terminal/open-terminal.ts";
import { downloadJob } from "./download-job.ts";

const ID = "8a4c1a52-1d8c-4b0e-9a55-1f2a55a1f001";
const BYTES = randomBytes(600_000);

const scratch = await makeScratchFolder();
let server: Server;
let job: Record<string, unknown>;
let names: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url!.startsWith("/downloads")) return response.end(BYTES);
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const outputs = names.map((name) => {
        const facts = { status: "Completed", size_bytes: BYTES.length, sha256: sha256Of(BYTES) };
        return Object.assign(facts, { id: name, name, media_url: "/downloads/a" });
      });
      const isList = (JSON.parse(body) as { action: string }).action === "list";
      response.end(JSON.stringify(isList ? { jobs: [job], total: 1 } : { data: outputs }));
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

function download(folder: string, outputs: string[], of: Record<string, unknown> = {}) {
  names = outputs;
  job = { id: ID, status: "Completed", manifest_url: null, files_deleted_at: null, ...of };
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({ write: (text: string) => (written[name] += text) });
  const terminal = openTerminal(false, { stdout: stream("stdout"), stderr: stream("stderr") });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = createApiClient({ server: url, token: "clm_secret", signal: new AbortController().signal });
  const session: Session = { api, terminal, whenStopped: () => {} };
  return downloadJob(session, ID, { folder, overwrites: false }).then((done) => ({ done, ...written }));
}

it("writes nothing if the server names a file outside the folder", async () => {
  const folder = path.join(scratch, "hostile");
  for (const name of ["../out.mp4", "/etc/cron.d/out", "CON", ".profile"]) {
    await expect(download(folder, ["good.mp4", name])).rejects.toMatchObject({
      message: expect.stringContaining("not allowed"),
    });
  }
  await expect(readdir(folder)).rejects.toMatchObject({ code: "ENOENT" });
});

it("says when there are no files, and why", async () => {
  await expect(download(scratch, [])).rejects.toThrow("This job has no files.");
  await expect(download(scratch, [], { status: "Processing" })).rejects.toThrow("This job has no files yet.");
  const deleted = download(scratch, [], { files_deleted_at: "2026-11-20T00:00:00Z" });
  await expect(deleted).rejects.toThrow("were deleted on 2026-11-20");
});

it("explains a folder that cannot be written", async () => {
  await writeFile(path.join(scratch, "file"), "");
  await expect(download(path.join(scratch, "file"), ["a.mp4"])).rejects.toThrow(
    /Files cannot be written to .*file \(EEXIST\)/,
  );
});

it("explains a full disk, and continues when there is space", async ({ skip }) => {
  const folder = path.join(scratch, "small");
  await mkdir(folder);
  if (!mountSmallDisk(folder)) return skip("needs the permission to mount a disk");
  try {
    await download(folder, ["a.mp4"]);
    await expect(download(folder, ["a.mp4", "b.mp4"])).rejects.toMatchObject({ code: "no_space" });
    expect((await download(folder, ["a.mp4"])).done).toMatchObject({ fetched: 0, kept: 1 });
  } finally {
    unmountSmallDisk(folder);
  }
  const { done, stdout } = await download(folder, ["a.mp4", "b.mp4"]);
  expect(done).toMatchObject({ fetched: 2, kept: 0 });
  expect(stdout).toBe("");
  return undefined;
});
