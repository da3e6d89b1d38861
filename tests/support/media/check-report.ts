import { readFile } from "node:fs/promises";
import type { ConformanceReport, ConformanceRule } from "#contract/jobs/outputs/conformance.ts";
import { type Figure, PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import { probeFile } from "./measure.ts";
import { readTestFfmpeg } from "./media-tools.ts";

type Expected = { value: number | string; tolerance?: number; isMet: boolean };

/** Compares a conformance report with ffmpeg's measurements and the file's bytes. Returns a sentence per difference. */
export async function findMismatches(report: ConformanceReport, file: string): Promise<string[]> {
  const expected = await expectReport(report, file);
  const rules = new Set(report.checks.map(({ rule }) => rule));
  const missing = [...expected.keys()].filter((rule) => !rules.has(rule)).map((rule) => `${rule} is missing`);
  const wrong = report.checks.flatMap(({ rule, found, status }) => {
    const actual = expected.get(rule);
    if (!actual) return [`${rule} is not one of the platform's rules`];
    const isFound = typeof actual.value === "string" ? found === actual.value : isNear(found, actual);
    const isStatus = (status === "pass") === actual.isMet;
    return isFound && isStatus ? [] : [`${rule} is ${found} (${status}), measured ${actual.value}, ${actual.isMet}`];
  });
  return [...missing, ...wrong];
}

async function expectReport({ platform }: ConformanceReport, file: string): Promise<Map<ConformanceRule, Expected>> {
  const { rules } = PLATFORMS[platform];
  const actual = await measure(file);
  const { video, audio } = actual;
  const expected = new Map<ConformanceRule, Expected>();
  const add = (rule: ConformanceRule, isStated: unknown, value: Expected) => isStated && expected.set(rule, value);
  const range = (
    rule: ConformanceRule,
    figure: Figure<{ least: number; most: number }> | undefined,
    value: number,
    tolerance: number,
  ) => {
    const isMet = figure && value >= figure.value.least * 0.999 && value <= figure.value.most * 1.001;
    add(rule, figure, { value, tolerance, isMet: isMet === true });
  };
  const most = (rule: ConformanceRule, figure: Figure<number> | undefined, value: number, tolerance: number) =>
    range(rule, figure && { ...figure, value: { least: 0, most: figure.value } }, value, tolerance);
  const isSized = [rules.widthPixels, rules.heightPixels].every((figure, i) => {
    const pixels = i === 0 ? video.width : video.height;
    return !figure || (pixels >= figure.value.least && pixels <= figure.value.most);
  });
  range("shape", rules.aspect, video.width / video.height, 0.006);
  add("picture_size", rules.widthPixels, { value: `${video.width}x${video.height}`, isMet: isSized });
  range("frame_rate", rules.framesPerSecond, video.packets / video.durationSeconds, 0.06);
  range("length", rules.seconds, video.durationSeconds, 0.06);
  add("file_size", rules.maxBytes, {
    ...{ value: actual.bytes / 1e6, tolerance: 0.06 },
    isMet: actual.bytes <= (rules.maxBytes?.value ?? 0),
  });
  add("video_codec", true, { value: "H.264", isMet: video.codec === "h264" });
  most("video_bit_rate", rules.maxVideoKbps, actual.videoKbps, actual.videoKbps * 0.01 + 1);
  most("keyframes", rules.maxKeyframeSeconds, actual.keyframeSeconds, 0.06);
  if (audio) {
    add("audio_codec", true, { value: "AAC", isMet: audio.codec === "aac" });
    range("sample_rate", rules.audioHz && toKhz(rules.audioHz), audio.sampleRate / 1_000, 0);
    most("channels", rules.maxAudioChannels, audio.channels, 0);
    most("audio_bit_rate", rules.maxAudioKbps, actual.audioKbps, 3);
  }
  add("index", rules.needsIndexInFront, {
    value: actual.isIndexInFront ? "at the start" : "at the end",
    isMet: actual.isIndexInFront,
  });
  add("edit_lists", rules.rejectsEditLists, {
    value: actual.hasEditLists ? "present" : "none",
    isMet: !actual.hasEditLists,
  });
  return expected;
}

function toKhz({ value, source }: Figure<{ least: number; most: number }>) {
  return { source, value: { least: value.least / 1_000, most: value.most / 1_000 } };
}

function isNear(found: string, { value, tolerance = 0 }: Expected): boolean {
  return Math.abs(Number(found.replaceAll(/[^\d.]/g, "")) - Number(value)) <= tolerance + 1e-9;
}

async function measure(file: string) {
  const { streams } = await probeFile(file);
  const video = streams.find(({ type }) => type === "video")!;
  const audio = streams.find(({ type }) => type === "audio");
  const list = ["-v", "error", "-i", file, "-map", "0", "-c", "copy", "-f", "framecrc", "pipe:1"];
  const packets = Buffer.from((await readTestFfmpeg(list)).stdout)
    .toString()
    .split("\n")
    .filter((line) => /^\d/.test(line));
  const kbps = (stream: number, seconds: number) => {
    const sizes = packets.filter((line) => line.startsWith(`${stream},`)).map((line) => Number(line.split(",")[4]));
    return (sizes.reduce((sum, size) => sum + size, 0) * 8) / seconds / 1_000;
  };
  const shown = await readTestFfmpeg([
    "-nostats",
    "-i",
    file,
    "-vf",
    "select=key,showinfo=checksum=0",
    "-an",
    "-f",
    "null",
    "-",
  ]);
  const keyTimes = [...shown.stderr.matchAll(/ pts_time:([\d.]+) /g)].map(([, time]) => Number(time));
  const bytes = await readFile(file);
  return {
    video,
    audio,
    bytes: bytes.length,
    videoKbps: kbps(0, video.durationSeconds),
    // Includes the priming samples that players skip; 1,024 samples per packet.
    audioKbps: audio ? kbps(1, (audio.packets * 1_024) / audio.sampleRate) : 0,
    keyframeSeconds: Math.max(...keyTimes.map((time, i) => (keyTimes[i + 1] ?? video.durationSeconds) - time)),
    isIndexInFront: bytes.indexOf("moov") < bytes.indexOf("mdat"),
    hasEditLists: bytes.includes("elst"),
  };
}
