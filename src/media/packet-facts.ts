/** Summarizes streams' packets from ffmpeg's framecrc list. */
import { ClipmillError } from "#contract/errors.ts";
import type { FrameTimes } from "./health/frame-timing.ts";
import { createLossFinder, type StreamLosses, type TimedPacket } from "./probe/find-losses.ts";
import type { LineReader } from "./probe/read-lines.ts";

/** Twelve hours at 60 frames per second, plus a margin. */
const MAX_FRAMES = 3_000_000;
const KEY_FLAG = 1;
const CORRUPT_FLAG = 2;
/** Decoded but not shown, because an edit list starts later. */
const HIDDEN_FLAG = 4;

/** In seconds. */
export type StreamFacts = {
  startsWithKeyFrame: boolean;
  hidesFrames: boolean;
  /** Of the first packet shown. */
  startSeconds: number;
  endSeconds: number | null;
  firstGapSeconds: number;
  losses: StreamLosses;
};

export type PacketList = {
  read: LineReader;
  /** `stream` is the index in the list. */
  factsOf(stream: number): StreamFacts;
  times(): FrameTimes;
};

/** Stream, decoding time, presentation time, duration, size, checksum, and flags unless just a keyframe. */
const PACKET = /^(\d+), *(-?\d+), *(-?\d+), *(-?\d+), *\d+, 0x[0-9a-f]+(?:, F=0x([0-9A-F]+))?/;
const NO_TIME = -(2 ** 63);
/** Enough to tell a constant frame length. */
const FIRST_PACKETS = 4;

/**
 * Keeps the times of stream 0 only, to bound memory. Throws ClipmillError "too_large" above `maxFrames` packets in it.
 */
export function createPacketList(maxFrames = MAX_FRAMES): PacketList {
  const secondsPerUnit = new Map<number, number>();
  const streams = new Map<number, StreamSummary>();
  const times = createNumberList();
  const decodingTimes = createNumberList();
  return {
    read(line) {
      if (line.startsWith("#")) {
        const [, stream, above, below] = /^#tb (\d+): (\d+)\/(\d+)$/.exec(line) ?? [];
        if (stream !== undefined) secondsPerUnit.set(Number(stream), Number(above) / Number(below));
        return;
      }
      const [matched, streamNumber, decoding, time, duration, flagsText = "1"] = PACKET.exec(line) ?? [];
      if (matched === undefined) return;
      const stream = Number(streamNumber);
      const unit = secondsPerUnit.get(stream) ?? 0;
      const flags = Number.parseInt(flagsText, 16);
      const packet = {
        ...{ isKey: (flags & KEY_FLAG) === KEY_FLAG, isHidden: (flags & HIDDEN_FLAG) === HIDDEN_FLAG },
        isCorrupt: (flags & CORRUPT_FLAG) === CORRUPT_FLAG,
        ...{ decoding: toSeconds(decoding, unit), time: toSeconds(time, unit) },
        duration: Math.max(0, toSeconds(duration, unit)),
      };
      const summary = streams.get(stream) ?? createSummary(packet);
      streams.set(stream, summary);
      note(summary, packet);
      if (stream !== 0 || packet.isHidden) return;
      if (times.length() >= maxFrames) throw tooManyFrames(maxFrames);
      times.push(packet.time);
      decodingTimes.push(packet.decoding);
    },
    factsOf: (stream) => describe(streams.get(stream)),
    times() {
      const summary = streams.get(0);
      if (!summary) return new Float64Array();
      const begins = summary.isTimed
        ? times.toArray()
        : decodingTimes.toArray().map((time) => time + (summary.delay || 0));
      const known = begins.filter((time) => !Number.isNaN(time)).toSorted();
      return known.filter((time, i) => time !== known[i - 1]);
    },
  };
}

type Packet = TimedPacket & { isHidden: boolean; time: number };

type StreamSummary = {
  startsWithKeyFrame: boolean;
  hidesFrames: boolean;
  first: Packet[];
  isTimed: boolean;
  /** From decoding to display of the first packet that has a time. */
  delay: number;
  /** The latest end by presentation times, and by decoding times. */
  end: number;
  decodingEnd: number;
  losses: ReturnType<typeof createLossFinder>;
};

function createSummary({ isKey }: Packet): StreamSummary {
  return {
    ...{ startsWithKeyFrame: isKey, hidesFrames: false, first: [], isTimed: true },
    ...{ delay: Number.NaN, end: -Infinity, decodingEnd: -Infinity, losses: createLossFinder() },
  };
}

function note(summary: StreamSummary, packet: Packet): void {
  const { time, decoding, duration, isHidden } = packet;
  if (isHidden) {
    summary.hidesFrames ||= summary.first.length > 0;
    return;
  }
  summary.losses.note(packet);
  if (summary.first.length < FIRST_PACKETS) summary.first.push(packet);
  if (Number.isNaN(time)) summary.isTimed = false;
  else {
    if (Number.isNaN(summary.delay)) summary.delay = Number.isNaN(decoding) ? 0 : time - decoding;
    summary.end = Math.max(summary.end, time + duration);
  }
  if (!Number.isNaN(decoding)) summary.decodingEnd = Math.max(summary.decodingEnd, decoding + duration);
}

function describe(summary: StreamSummary | undefined): StreamFacts {
  if (!summary) return NO_STREAM;
  const { startsWithKeyFrame, hidesFrames, isTimed } = summary;
  // Program streams time only some pictures; the others are shown at a constant delay after decoding.
  const delay = summary.delay || 0;
  const end = isTimed ? summary.end : summary.decodingEnd + delay;
  const [first, second] = summary.first.map(({ time, decoding }) => (isTimed ? time : decoding + delay));
  return {
    ...{ startsWithKeyFrame, hidesFrames },
    startSeconds: first || 0,
    endSeconds: Number.isFinite(end) ? end : null,
    firstGapSeconds: first !== undefined && second !== undefined ? second - first - firstLength(summary.first) : 0,
    losses: summary.losses.losses(),
  };
}

/** ffmpeg 9 adds a gap after the first packet to its duration. */
function firstLength([first, ...next]: readonly Packet[]): number {
  const usual = next[0]!.duration;
  const isConstant = next.length === FIRST_PACKETS - 1 && next.every(({ duration }) => duration === usual);
  return isConstant ? Math.min(first!.duration, usual) : first!.duration;
}

const NO_STREAM: StreamFacts = {
  ...{ startsWithKeyFrame: false, hidesFrames: false, startSeconds: 0, endSeconds: null, firstGapSeconds: 0 },
  losses: { gaps: [], otherGaps: [], damaged: [] },
};

function toSeconds(units: string | undefined, secondsPerUnit: number): number {
  return Number(units) === NO_TIME ? Number.NaN : Number(units) * secondsPerUnit;
}

function tooManyFrames(maxFrames: number): ClipmillError {
  return new ClipmillError("too_large", `The video has more than ${maxFrames.toLocaleString("en-US")} frames.`);
}

function createNumberList() {
  let numbers = new Float64Array(1_024);
  let count = 0;
  return {
    length: () => count,
    push(number: number): void {
      if (count === numbers.length) {
        const larger = new Float64Array(count * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[count++] = number;
    },
    toArray: () => numbers.slice(0, count),
  };
}
