/** A worker on another machine, which reaches only the server's HTTPS address and the bucket, and has no secret. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import tls from "node:tls";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { canCreateHosts, openOtherHost, type OtherHost, relay } from "#tests/support/faults/other-host.ts";
import { rowsOf } from "#tests/support/faults/fault-job.ts";
import { makeSlowFfmpeg, type SlowFfmpeg } from "#tests/support/media/faulty/slow-ffmpeg.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, runProgramToItsEnd } from "#tests/support/servers/clipmill-process.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import {
  createTokenForWorkers,
  revokeTokenOfWorkers,
  startTokenProgram,
} from "#tests/support/servers/by-token/token-program.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";

const LONG_TIMEOUT = { timeout: 120_000 };
const hasHosts = canCreateHosts();

const folder = await makeScratchFolder();
let ffmpeg: SlowFfmpeg;
let bucket: S3Server;
let host: OtherHost;
let fleet: Fleet;
let server: FleetProgram;
let client: SupabaseClient;
let proxy: { url: string; certificate: string; close(): Promise<void> };
let link: string;
let library: { id: string };

type OutputRow = { name: string; status: string; sha256: string };

beforeAll(async () => {
  if (!hasHosts) return;
  ffmpeg = await makeSlowFfmpeg(folder);
  bucket = await startS3Server();
  host = await openOtherHost();
  const reachable = await host.expose(`http://127.0.0.1:${bucket.port}`);
  const STORAGE_URL = `${bucket.environment["STORAGE_URL"]}&public=${reachable}`;
  fleet = await openInstalledFleet({ ...bucket.environment, STORAGE_URL, ...ffmpeg.environment });
  server = await fleet.start("server");
  client = await signedInClient(server.url);
  proxy = await openTlsProxy(server.url);
  const clip = path.join(folder, "clip.mp4");
  await makeClip(clip, { width: 216, height: 384, seconds: 2 });
  const { data } = await client.auth.getSession();
  const upload = await fetch(`${server.url}/uploads?name=clip.mp4`, {
    method: "POST",
    headers: { authorization: `Bearer ${data.session!.access_token}` },
    body: new Uint8Array(await readFile(clip)),
  });
  library = ((await upload.json()) as { data: { id: string } }).data;
  link = libraryLink(library.id);
}, 180_000);
afterEach(() => ffmpeg?.hurry());
afterAll(async () => {
  await fleet?.close();
  await proxy?.close();
  await host?.close();
  await bucket?.close();
});

/** Ends TLS in front of the server, like Caddy, with a certificate for its address on the other host. */
async function openTlsProxy(target: string): Promise<typeof proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const ending = tls.createServer((near) => relay(near, net.connect(Number(port), hostname), sockets));
  ending.listen(0, "127.0.0.1");
  await once(ending, "listening");
  const url = await host.expose(`https://127.0.0.1:${(ending.address() as AddressInfo).port}`);
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  const name = ["-subj", "/CN=clipmill", "-addext", `subjectAltName=IP:${new URL(url).hostname}`];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, ...name],
    {
      stdio: "pipe",
    },
  );
  ending.setSecureContext({ key: await readFile(key), cert: await readFile(certificate) });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    ending.close();
    await once(ending, "close");
  };
  return { url, certificate, close };
}

type Access = Awaited<ReturnType<typeof createTokenForWorkers>>;

async function startFarWorker(access: Access): Promise<ClipmillProcess & { dataDir: string }> {
  return await startTokenProgram(folder, {
    server: proxy.url,
    token: access.token,
    environment: { NODE_EXTRA_CA_CERTS: proxy.certificate, ...ffmpeg.environment },
    prefix: host.prefix,
  });
}

function create(mark: string, worker_labels: string | null) {
  return createJob(client, {
    ...{ input_videos: [link], worker_labels, variants_per_video: 2 },
    ...{ captions_enabled: true, custom_captions: [`${mark} one`, `${mark} two`] },
  });
}

/** Checksums of the files, by name. */
async function readSums(jobId: string): Promise<Record<string, string>> {
  const rows = await rowsOf<OutputRow>(client, "job_outputs", jobId);
  expect(rows.map(({ status }) => status)).toEqual(["Completed", "Completed"]);
  const folders = [`outputs/${jobId}`, `outputs/${jobId}/attempt-2`];
  const stored = (await Promise.all(folders.map((one) => bucket.list(one)))).flat();
  expect(stored.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  return Object.fromEntries(rows.map(({ name, sha256 }) => [name, sha256]));
}

/** Secrets that the remote machine must not get. */
function secrets(): string[] {
  const { APP_SECRET, STORAGE_URL, DATABASE_URL } = fleet.environment;
  return [APP_SECRET!, STORAGE_URL!, DATABASE_URL!, new URL(DATABASE_URL!).host];
}

/** Searches the environment, the names of mapped files and the memory of a process and its children. */
async function findTexts(pid: number, texts: readonly string[]): Promise<string[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ").map(Number);
  const found = new Set<string>();
  for (const one of [pid, ...children.filter((child) => child > 0)]) {
    const read = (name: string) => readFile(`/proc/${one}/${name}`, "latin1").catch(() => "");
    const [environment, maps] = [await read("environ"), await read("maps")];
    for (const text of texts) if (environment.includes(text) || maps.includes(text)) found.add(text);
    for (const text of await searchMemory(one, maps, texts)) found.add(text);
  }
  return [...found];
}

async function searchMemory(pid: number, maps: string, texts: readonly string[]): Promise<string[]> {
  await using memory = await open(`/proc/${pid}/mem`).catch(() => null);
  if (!memory) return [];
  // V8 keeps text with one or two bytes per character.
  const wanted = texts.flatMap((text) => {
    return [Buffer.from(text), Buffer.from(text, "utf16le")].map((bytes) => ({ text, bytes }));
  });
  const found = new Set<string>();
  for (const line of maps.split("\n")) {
    const [, from, to] = /^([\da-f]+)-([\da-f]+) r/.exec(line) ?? [];
    if (from === undefined || to === undefined || line.includes("[v")) continue;
    const end = Number.parseInt(to, 16);
    for (let at = Number.parseInt(from, 16); at < end; at += PIECE) {
      const buffer = Buffer.alloc(Math.min(PIECE + OVERLAP, end - at));
      // Reserved, but never used.
      if (!(await memory.read(buffer, 0, buffer.length, at).catch(() => null))) break;
      for (const { text, bytes } of wanted) if (buffer.includes(bytes)) found.add(text);
    }
  }
  return [...found];
}

const PIECE = 16 * 1024 ** 2;
const OVERLAP = 4_096;

/** The other ends of all connections on the far machine, as `address:port`. */
async function readPeers(pid: number): Promise<string[]> {
  const lines = (await readFile(`/proc/${pid}/net/tcp`, "utf8")).trim().split("\n").slice(1);
  const six = (await readFile(`/proc/${pid}/net/tcp6`, "utf8")).trim().split("\n").slice(1);
  expect(six).toEqual([]);
  return lines.map((line) => {
    const [, , remote] = line.trim().split(/\s+/);
    const [address, port] = remote!.split(":");
    const bytes = Buffer.from(address!, "hex").toReversed();
    return `${[...bytes].join(".")}:${Number.parseInt(port!, 16)}`;
  });
}

it.skipIf(!hasHosts)(
  "renders a job over HTTPS with presigned files, the same as a worker with the database, and holds no secret",
  LONG_TIMEOUT,
  async () => {
    const access = await createTokenForWorkers(client, ["far"]);
    const worker = await startFarWorker(access);
    await ffmpeg.slowDown(2);
    const job = await create("Far", "far");
    await vi.waitUntil(async () => (await readJob(client, job.id)).progress > 0, LONG_TIMEOUT);
    // It finds the only secret that the worker has.
    expect(await findTexts(worker.pid, [...secrets(), access.token])).toEqual([access.token]);
    const { hostname } = new URL(proxy.url);
    for (const peer of await readPeers(worker.pid))
      expect(peer).toMatch(new RegExp(`^(${hostname}:|0\\.0\\.0\\.0:0$)`));
    await ffmpeg.hurry();
    await expect.poll(() => hasEnded(client, job.id), LONG_TIMEOUT).toBe(true);
    expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", error_message: null });
    const far = await readSums(job.id);
    expect(await worker.stop()).toBe(0);
    expect(await readdir(worker.dataDir)).not.toContain("files");
    const direct = await fleet.start("worker");
    const same = await create("Far", null);
    await expect.poll(() => hasEnded(client, same.id), LONG_TIMEOUT).toBe(true);
    expect(await readSums(same.id)).toEqual(far);
    await direct.stop();
    expect(await bucket.openUploads()).toEqual([]);
  },
);

it.skipIf(!hasHosts)("finishes the videos of a revoked token elsewhere", LONG_TIMEOUT, async () => {
  const access = await createTokenForWorkers(client, ["far"]);
  const worker = await startFarWorker(access);
  await ffmpeg.slowDown(30);
  const job = await create("Revoked", "far");
  await vi.waitUntil(async () => (await readJob(client, job.id)).progress > 0, LONG_TIMEOUT);
  await revokeTokenOfWorkers(client, access.id);
  expect(await worker.ended()).toBe(1);
  expect(worker.output().stderr).toContain("This API token is not valid or was revoked.");
  await ffmpeg.hurry();
  const direct = await fleet.start("worker", { environment: { WORKER_LABELS: "far" } });
  await expect.poll(() => hasEnded(client, job.id), LONG_TIMEOUT).toBe(true);
  await readSums(job.id);
  await direct.stop();
});

function startRefused(environment: Record<string, string>, address: string) {
  const all = { CLIPMILL_TOKEN: "clm_any", ...environment };
  return runProgramToItsEnd("worker", path.join(folder, "refused"), all, "--server", address);
}

it("refuses to start on a machine that has the installation's secrets, or without https", LONG_TIMEOUT, async () => {
  const none = { DATABASE_URL: "", STORAGE_URL: "", APP_SECRET: "" };
  expect(await startRefused({ ...none, DATABASE_URL: "postgres://a/b" }, "https://clips.test")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("must not have DATABASE_URL"),
  });
  expect(await startRefused(none, "http://clips.test")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("https address"),
  });
});
