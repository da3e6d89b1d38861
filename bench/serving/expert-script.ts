/**
 * Whole jobs on a running Clipmill, and on one that has just started, against the script that someone who knows ffmpeg
 * would write: it encodes a picture once and copies it into each mix, and decodes once for all captions. CPU of all
 * processes, with the database.
 */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { RATE_CONTROL } from "#media/plan/arguments/encoder-arguments.ts";
import { makeTone } from "#tests/support/media/make-clip.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { createJob, hasEnded, signedInClient } from "#tests/support/servers/client.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { drawClip, KINDS } from "../support/clips.ts";
import { costOf, cpuSecondsOf } from "../support/cpu.ts";
import { drawtext } from "../support/plain-ffmpeg.ts";
import { describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const TRACKS = 10;
const POLL_MS = 500;
const FRAMES_PER_SECOND = 30;
/** The first clip is usual footage. */
const kinds: (keyof typeof KINDS)[] = ["motion", "noise", "text"];
const CLIPS = 30;
type Row = {
  name: string;
  codec: "h264" | "hevc";
  seconds: number;
  clips: number;
  captions: number;
  tracks: number;
  atMost: number;
};
/** Of usual footage. */
const ONE_CLIP = { codec: "h264", clips: 1, atMost: 1 } as const;
/** Of all kinds. */
const MANY_CLIPS = { clips: CLIPS, seconds: 5, captions: 1, tracks: 0, atMost: 1.05 } as const;
const ROWS: readonly Row[] = [
  { ...ONE_CLIP, name: `sound only x ${TRACKS}, 5 s`, seconds: 5, captions: 0, tracks: TRACKS },
  { ...ONE_CLIP, name: `sound only x ${TRACKS}, 15 s`, seconds: 15, captions: 0, tracks: TRACKS },
  { ...ONE_CLIP, name: `1 caption x ${TRACKS} tracks, 5 s`, seconds: 5, captions: 1, tracks: TRACKS },
  { ...ONE_CLIP, name: `1 caption x ${TRACKS} tracks, 15 s`, seconds: 15, captions: 1, tracks: TRACKS },
  { ...ONE_CLIP, name: "4 captions, 15 s", seconds: 15, captions: 4, tracks: 0 },
  { ...MANY_CLIPS, name: `${CLIPS} different clips, 5 s, 1 caption`, codec: "h264" },
  { ...MANY_CLIPS, name: `${CLIPS} different clips in HEVC, 5 s, 1 caption`, codec: "hevc" },
];
/** The first job of a server also loads code. */
const FIRST_AT_MOST = 1.15;

await using folder = await openBenchFolder();
const twin = await startDriveTwin();
const tracks: { file: string; link: string }[] = [];
for (let i = 0; i < TRACKS; i++) {
  const file = folder.file(`track${i}.m4a`);
  await makeTone(file, { frequencyHz: 300 + 50 * i, seconds: 40 });
  twin.add({ id: `track${i}`, path: file, name: `track${i}.m4a`, mimeType: "audio/mp4" });
  tracks.push({ file, link: twin.links(`track${i}`) });
}
for (const row of ROWS) {
  for (const [i, name] of clipsOf(row).entries()) {
    if (existsSync(fileOf(name))) continue;
    // Another length makes clips of one kind differ.
    await drawClip(fileOf(name), row.seconds + i / FRAMES_PER_SECOND, kinds[i % kinds.length]);
    if (row.codec === "hevc") await toHevc(fileOf(name));
    twin.add({ id: name, path: fileOf(name), name: `${name}.mp4`, mimeType: "video/mp4" });
  }
}

function fileOf(name: string): string {
  return folder.file(`${name}.mp4`);
}

function clipsOf({ codec, seconds, clips }: Row): string[] {
  return Array.from({ length: clips }, (_, i) => `clip-${codec}-${seconds}-${i}`);
}

async function toHevc(file: string): Promise<void> {
  const hevc = `${file}.hevc.mp4`;
  await runTestFfmpeg(["-i", file, "-c:v", "libx265", "-preset", "veryfast", "-tag:v", "hvc1", "-c:a", "copy", hevc]);
  await rename(hevc, file);
}

type Server = { pid: number; url: string; stop: () => Promise<unknown> };
let servers = 0;
let jobs = 0;

function startServer(): Promise<Server> {
  servers += 1;
  return startInstalledClipmill(folder.file(`data-${servers}`), twin.environment);
}

/** Neither pictures nor sounds are those of an earlier job. */
async function runJob({ pid, url }: Server, row: Row): Promise<number> {
  const client = await signedInClient(url);
  const before = cpuSecondsOf(pid).all;
  jobs += 1;
  const { id } = await createJob(client, {
    job_name: `Job ${jobs}`,
    input_videos: clipsOf(row).map((name) => twin.links(name)),
    variants_per_video: Math.max(row.captions, row.tracks),
    ...(row.captions > 0 && { captions_enabled: true, custom_captions: captionsOf(row, jobs) }),
    ...(row.tracks > 0 && {
      ...{ audio_enabled: true, audio_mode: "mix", custom_audio_links: tracks.map(({ link }) => link) },
      music_gain: 1 - jobs / 1_000,
    }),
  });
  while (!(await hasEnded(client, id))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return cpuSecondsOf(pid).all - before;
}

async function runFirstJob(row: Row): Promise<number> {
  const server = await startServer();
  const cost = await runJob(server, row);
  await server.stop();
  return cost;
}

function captionsOf({ captions }: Row, run: number): string[] {
  return Array.from({ length: captions }, (_, i) => `Wait for the pour ${run}-${i}`);
}

async function runScript(row: Row): Promise<number> {
  const captions = captionsOf(row, 0);
  const picture = folder.file("picture-0.mp4");
  const clips = clipsOf(row).map(fileOf);
  const clip = clips[0]!;
  const { cpuSeconds } = await costOf(async () => {
    for (const one of captions.length > 0 ? clips : []) await encodePictures(one, captions);
    for (const { file } of tracks.slice(0, row.tracks)) {
      await runTestFfmpeg([
        ...["-i", captions.length > 0 ? picture : clip, "-i", clip, "-i", file],
        ...["-filter_complex", "[1:a]volume=0.7[own];[own][2:a]amix=normalize=0:duration=first[mix]"],
        ...["-map", "0:v", "-c:v", "copy", "-map", "[mix]", "-c:a", "aac", "-b:a", "192k"],
        ...["-movflags", "+faststart", folder.file("mixed.mp4")],
      ]);
    }
  });
  return cpuSeconds;
}

/** Decodes once. */
async function encodePictures(clip: string, captions: readonly string[]): Promise<void> {
  const copies = captions.map((_, i) => `[copy${i}]`);
  const drawn = captions.map((caption, i) => `${copies[i]}${drawtext(caption)}[drawn${i}]`);
  await runTestFfmpeg([
    ...["-i", clip, "-filter_complex", [`[0:v]split=${captions.length}${copies.join("")}`, ...drawn].join(";")],
    ...captions.flatMap((_, i) => [
      ...["-map", `[drawn${i}]`, "-map", "0:a", "-c:v", "libx264", ...RATE_CONTROL.standard, "-c:a", "copy"],
      ...["-movflags", "+faststart", folder.file(`picture-${i}.mp4`)],
    ]),
  ]);
}

console.log(`1080x1920; ${describeMachine()}`);
const warm = await startServer();
await runJob(warm, ROWS[2]!);
for (const row of ROWS) {
  const own: number[] = [];
  const first: number[] = [];
  const script: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    own.push(await runJob(warm, row));
    if (row.clips === 1) first.push(await runFirstJob(row));
    script.push(await runScript(row));
  }
  const figures = `Clipmill ${medianOf(own).toFixed(1)} s, the script ${medianOf(script).toFixed(1)} s`;
  console.log(`${row.name}: ${figures}; Clipmill / script ${describeRatio(own, script, { atMost: row.atMost })}`);
  if (first.length === 0) continue;
  console.log(`  right after a start: ${describeRatio(first, script, { atMost: FIRST_AT_MOST })}`);
}
await warm.stop();
await twin.close();
