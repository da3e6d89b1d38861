/** The report of a finished file against what ffmpeg and the file's own bytes say of it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import type { ConformanceReport, ConformanceRule } from "#contract/jobs/conformance.ts";
import { PLATFORMS, READ_ON } from "#contract/jobs/platforms.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { probeFile } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const SOURCES = {
  upright: { width: 180, height: 320, framesPerSecond: 30, seconds: 4 },
  wide: { width: 640, height: 360, framesPerSecond: 60, seconds: 1 },
  slow: { width: 400, height: 400, framesPerSecond: 12, seconds: 3, toneHz: null },
} as const;

beforeAll(async () => {
  for (const [name, options] of Object.entries(SOURCES)) await makeClip(path.join(folder, `${name}.mp4`), options);
});

/** Measures with ffmpeg and by searching the bytes, not with the code of the report. */
async function measure(file: string) {
  const { ffmpeg } = await testTools();
  const found = await probeFile(file);
  const video = found.streams.find(({ type }) => type === "video")!;
  const audio = found.streams.find(({ type }) => type === "audio");
  const list = ["-v", "error", "-i", file, "-map", "0", "-c", "copy", "-f", "framecrc", "pipe:1"];
  const packets = (await execa(ffmpeg, list)).stdout.split("\n").filter((line) => /^\d/.test(line));
  const bytesOf = (stream: number) =>
    packets.filter((line) => line.startsWith(`${stream},`)).reduce((sum, line) => sum + Number(line.split(",")[4]), 0);
  const shown = await execa(ffmpeg, ["-i", file, "-vf", "select=key,showinfo=checksum=0", "-an", "-f", "null", "-"]);
  const keyTimes = [...shown.stderr.matchAll(/ pts_time:([\d.]+) /g)].map(([, time]) => Number(time));
  const bytes = await readFile(file);
  return {
    shape: video.width / video.height,
    size: `${video.width}x${video.height}`,
    rate: video.packets / video.durationSeconds,
    seconds: video.durationSeconds,
    megabytes: bytes.length / 1e6,
    videoKbps: (bytesOf(0) * 8) / video.durationSeconds / 1_000,
    keyframeSeconds: Math.max(...keyTimes.map((time, i) => (keyTimes[i + 1] ?? video.durationSeconds) - time)),
    audio: audio && { ...audio, kbps: (bytesOf(1) * 8) / audio.durationSeconds / 1_000 },
    isIndexInFront: bytes.indexOf("moov") < bytes.indexOf("mdat"),
    hasEditLists: bytes.includes("elst"),
  };
}

function foundBy(report: ConformanceReport, rule: ConformanceRule): { found: string; status: string } {
  return report.checks.find((check) => check.rule === rule)!;
}

const numberIn = (text: string) => Number(text.replaceAll(/[^\d.]/g, ""));

test.each(
  Object.keys(SOURCES).flatMap((source) =>
    (["tiktok", "reels", "shorts"] as const).map((platform) => ({ source, platform })),
  ),
)("the report of $source for $platform states what the file is", async ({ source, platform }) => {
  const name = `${source}-${platform}`;
  // TikTok's with a caption, the others' copied from the source
  const captions = platform === "tiktok" ? { captions: ["Hi"] } : {};
  const input = { source: path.join(folder, `${source}.mp4`), settings: { platform }, ...captions };
  const [output] = await renderClip(path.join(folder, name), input);
  const report = output!.conformance!;
  const actual = await measure(output!.path);
  const { rules } = PLATFORMS[platform];
  expect(report).toMatchObject({ platform, rules_read_on: READ_ON });
  expect(foundBy(report, "video_codec")).toMatchObject({ found: "H.264", status: "pass" });
  expect(numberIn(foundBy(report, "length").found)).toBeCloseTo(actual.seconds, 1);
  expect(foundBy(report, "length").status).toBe(actual.seconds < (rules.seconds?.value.least ?? 0) ? "warn" : "pass");
  if (platform !== "shorts") {
    expect(Math.abs(numberIn(foundBy(report, "frame_rate").found) - actual.rate)).toBeLessThan(0.06);
    expect(foundBy(report, "frame_rate").status).toBe(actual.rate < 23 ? "warn" : "pass");
    expect(Math.abs(numberIn(foundBy(report, "file_size").found) - actual.megabytes)).toBeLessThan(0.06);
    expect(foundBy(report, "picture_size").found).toBe(actual.size);
  }
  if (platform !== "tiktok") {
    expect(foundBy(report, "shape").found).toBe(actual.shape.toFixed(2));
    expect(foundBy(report, "index").status).toBe(actual.isIndexInFront ? "pass" : "warn");
    expect(foundBy(report, "edit_lists").status).toBe(actual.hasEditLists ? "warn" : "pass");
  }
  if (platform === "reels") {
    expect(Math.abs(numberIn(foundBy(report, "video_bit_rate").found) / actual.videoKbps - 1)).toBeLessThan(0.02);
  }
  if (platform === "shorts") {
    expect(numberIn(foundBy(report, "keyframes").found)).toBeCloseTo(actual.keyframeSeconds, 1);
  }
  expect(report.checks.some(({ rule }) => rule === "audio_codec")).toBe(actual.audio !== undefined);
  if (actual.audio && platform === "reels") {
    expect(numberIn(foundBy(report, "sample_rate").found)).toBe(actual.audio.sampleRate / 1_000);
    expect(numberIn(foundBy(report, "channels").found)).toBe(actual.audio.channels);
    expect(Math.abs(numberIn(foundBy(report, "audio_bit_rate").found) - actual.audio.kbps)).toBeLessThan(3);
  }
});

test("without a platform there is no report", async () => {
  const [output] = await renderClip(path.join(folder, "any"), { source: path.join(folder, "wide.mp4") });
  expect(output!.conformance).toBeNull();
});
