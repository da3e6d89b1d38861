import type {
  ConformanceCheck,
  ConformanceReport,
  ConformanceRule,
  Platform,
} from "#contract/jobs/outputs/conformance.ts";
import { type Figure, PLATFORMS, READ_ON } from "#contract/jobs/outputs/platforms.ts";
import type { Mp4Summary } from "./mp4-summary.ts";

type Range = { least: number; most: number };
type Check = ConformanceCheck | null;

/** Absorbs rounding in headers: a rate of 59.94 is within "at most 60". */
const TOLERANCE = 0.001;

export function checkConformance(platform: Platform, file: Mp4Summary): ConformanceReport {
  const { rules } = PLATFORMS[platform];
  const { video, audio } = file;
  const checks: Check[] = [
    inRange("shape", rules.aspect, video.width / video.height, (value) => value.toFixed(2)),
    checkSize(rules, video),
    inRange("frame_rate", rules.framesPerSecond, video.frames / video.seconds, (rate) => `${trim(rate)} fps`),
    inRange("length", rules.seconds, video.seconds, (seconds) => `${trim(seconds)} s`),
    atMost("file_size", rules.maxBytes, file.sizeBytes, (bytes) => `${trim(bytes / 1e6)} MB`),
    oneOf("video_codec", rules.videoCodecs, video.codec),
    atMost("video_bit_rate", rules.maxVideoKbps, kbps(video), formatKbps),
    atMost("keyframes", rules.maxKeyframeSeconds, video.maxKeyframeSeconds, (seconds) => `every ${trim(seconds)} s`),
    ...(audio
      ? [
          oneOf("audio_codec", rules.audioCodecs, audio.codec),
          inRange("sample_rate", rules.audioHz, audio.hz, (hz) => `${hz / 1_000} kHz`),
          atMost("channels", rules.maxAudioChannels, audio.channels, String),
          atMost("audio_bit_rate", rules.maxAudioKbps, kbps(audio), formatKbps),
        ]
      : []),
    flag("index", rules.needsIndexInFront, file.isIndexInFront, ["at the start", "at the end"]),
    flag("edit_lists", rules.rejectsEditLists, !file.hasEditLists, ["none", "present"]),
  ];
  return { platform, rules_read_on: READ_ON, checks: checks.filter((check) => check !== null) };
}

function kbps({ bytes, seconds }: { bytes: number; seconds: number }): number {
  return seconds > 0 ? (bytes * 8) / seconds / 1_000 : 0;
}

function formatKbps(value: number): string {
  return `${Math.round(value).toLocaleString("en")} kbit/s`;
}

function trim(value: number): string {
  return (Math.round(value * 10) / 10).toLocaleString("en");
}

function checkOf(rule: ConformanceRule, isMet: boolean, found: string, expected: string): ConformanceCheck {
  return { rule, status: isMet ? "pass" : "warn", found, expected };
}

function inRange(
  rule: ConformanceRule,
  figure: Figure<Range> | undefined,
  value: number,
  format: (value: number) => string,
): Check {
  if (!figure) return null;
  const { least, most } = figure.value;
  const isMet = value >= least * (1 - TOLERANCE) && value <= most * (1 + TOLERANCE);
  const expected = least === 0 ? `at most ${format(most)}` : `${format(least)} to ${format(most)}`;
  return checkOf(rule, isMet, format(value), expected);
}

function atMost(
  rule: ConformanceRule,
  figure: Figure<number> | undefined,
  value: number,
  format: (value: number) => string,
): Check {
  return figure ? inRange(rule, { ...figure, value: { least: 0, most: figure.value } }, value, format) : null;
}

function oneOf(rule: ConformanceRule, { value: allowed }: Figure<readonly string[]>, codec: string): Check {
  return checkOf(rule, allowed.includes(codec), codec, allowed.join(" or "));
}

function flag(
  rule: ConformanceRule,
  figure: Figure<true> | undefined,
  isMet: boolean,
  [met, unmet]: [string, string],
): Check {
  return figure ? checkOf(rule, isMet, isMet ? met : unmet, met) : null;
}

function checkSize(
  { widthPixels, heightPixels }: { widthPixels?: Figure<Range>; heightPixels?: Figure<Range> },
  { width, height }: { width: number; height: number },
): Check {
  const sides: [string, number, Figure<Range> | undefined][] = [
    ["wide", width, widthPixels],
    ["high", height, heightPixels],
  ];
  const ruled = sides.filter((side): side is [string, number, Figure<Range>] => side[2] !== undefined);
  if (ruled.length === 0) return null;
  const isMet = ruled.every(([, pixels, { value }]) => pixels >= value.least && pixels <= value.most);
  const limits = ruled.map(([name, , figure]) => {
    const { least, most } = figure.value;
    return least === 0 ? `at most ${most} ${name}` : `${least} to ${most} ${name}`;
  });
  return checkOf("picture_size", isMet, `${width}x${height}`, limits.join(", "));
}
