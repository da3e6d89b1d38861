/**
 * Runs Clipmill in the root folder of a mounted image, as user 10001 on a read-only root, with a job with captions and
 * music; deploy/build-image.sh calls it. Prints the times, and fails if a stop in the middle of a job takes too long.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { createClipmill } from "../clients/typescript/clipmill.ts";

const UID = 10_001;
const POLL_MS = 250;
const [root = "", mostStopMs = "5000"] = process.argv.slice(2);
const ADMIN = { email: "operator@clipmill.local", password: "correct horse battery" };

/** $1 is the root folder, $2 the data folder. Like `docker run --read-only --tmpfs /tmp --cap-drop ALL`. */
const RUN = `set -e
mount --bind "$1" "$1"
mount --bind "$2" "$1/data"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/tmp"
mount -o remount,bind,ro "$1"
if touch "$1/is-writable" 2> /dev/null; then echo "The root is writable." >&2; exit 1; fi
cd "$1"
exec chroot . setpriv --reuid ${UID} --regid ${UID} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
  node /app/bin/clipmill.js start`;

const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-image-"));
await chown(folder, UID, UID);
const port = await findFreePort();
const startedMs = performance.now();
const child = spawn("unshare", ["--mount", "--propagation", "private", "sh", "-c", RUN, "sh", root, folder], {
  // The image's settings, with a port of this machine.
  env: {
    PATH: "/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    DATA_DIR: "/data",
    HOST: "127.0.0.1",
    PORT: String(port),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) if (/is ready/.test(line)) break;
  if (child.exitCode !== null) throw new Error("Clipmill did not start.");
  child.stdout.resume();
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  if (!new RegExp(`^Uid:\t${UID}\t${UID}\t`, "m").test(status)) throw new Error(`It does not run as user ${UID}.`);
  console.log(`Ready after ${seconds(startedMs)} s, as user ${UID} with a read-only root.`);
  await runJobs(`http://127.0.0.1:${port}`);
  const stoppedMs = performance.now();
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number | null];
  const tookMs = performance.now() - stoppedMs;
  console.log(`Stopped in ${(tookMs / 1_000).toFixed(1)} s in the middle of a job, with exit code ${code}.`);
  if (tookMs > Number(mostStopMs)) throw new Error(`It must stop within ${mostStopMs} ms.`);
} finally {
  child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}

async function runJobs(url: string): Promise<void> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: "any" },
    body: JSON.stringify(ADMIN),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const clipmill = createClipmill({ url, token });
  const samples = await until(async () => {
    const { data, isReady } = await clipmill.library.list();
    return isReady ? data : null;
  });
  const linksOf = (kind: string) => samples.filter((sample) => sample.kind === kind).map(({ link }) => link);
  const settings = {
    input_videos: linksOf("video"),
    captions_enabled: true,
    custom_captions: ["Wait for it… 🎬", "今天天气很好 مرحبا"],
    audio_enabled: true,
    custom_audio_links: linksOf("audio"),
    variants_per_video: 2,
  };
  const jobMs = performance.now();
  const { data: job } = await clipmill.jobs.create({ ...settings, job_name: "In the image" });
  const { status } = await clipmill.waitForJob(job.id, { intervalMs: POLL_MS });
  const { data: outputs } = await clipmill.jobs.outputs({ jobId: job.id });
  const links = outputs.flatMap(({ media_url: link }) => link ?? []);
  if (links.length !== 2 * settings.input_videos.length)
    throw new Error(`The job is ${status}: ${links.length} outputs.`);
  for (const link of links) await checkOutput(await clipmill.download(link));
  console.log(`A job with captions and music: ${links.length} outputs in ${seconds(jobMs)} s.`);
  const { data: second } = await clipmill.jobs.create({
    ...settings,
    job_name: "Interrupted",
    captions_enabled: false,
  });
  await until(async () => {
    const { data } = await clipmill.jobs.videos({ jobId: second.id });
    return data.some(({ status }) => status === "Processing") || null;
  });
}

/** Uses the image's ffmpeg. */
async function checkOutput(response: Response): Promise<void> {
  const file = path.join(folder, "output.mp4");
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  const read = ["-xerror", "-i", "cache:pipe:0", "-f", "null", "-"];
  const { all } = await execa("chroot", [root, "ffmpeg", ...read], { inputFile: file, all: true });
  if (!/Stream .*Video: h264/.test(all) || !/Stream .*Audio: aac/.test(all)) throw new Error(`Not whole: ${all}`);
}

async function until<Value>(read: () => Promise<Value | null>): Promise<Value> {
  for (;;) {
    const value = await read();
    if (value !== null) return value;
    if (child.exitCode !== null) throw new Error("Clipmill ended.");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

function seconds(fromMs: number): string {
  return ((performance.now() - fromMs) / 1_000).toFixed(1);
}
