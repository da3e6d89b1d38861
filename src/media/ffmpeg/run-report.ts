/** Reads ffmpeg's log at level "repeat+level+verbose". */

import { lastLines } from "#contract/last-lines.ts";
import type { Loudness } from "../plan/loudness.ts";

export type DecodedStream = {
  input: number;
  stream: number;
  packets: number;
  /** Includes incomplete and guessed frames. */
  frames: number;
  corruptFrames: number;
  /** Packets that could not be decoded. */
  errors: number;
  /** 0 for pictures. */
  samples: number;
};

export type RunReport = {
  decoded: DecodedStream[];
  /** Packets by output and stream: "0:1". */
  written: ReadonlyMap<string, number>;
  /** Of a run with an ebur128 filter. */
  loudness: Loudness | null;
};

export const EMPTY_REPORT: RunReport = { decoded: [], written: new Map(), loudness: null };

const KEPT_CHARACTERS = 4_096;
const CHATTER = /\[(?:verbose|info|debug|trace)\] /;
const LEVEL = /\[(?:panic|fatal|error|warning)\] /;
/** ffmpeg 6.0 and older count no errors here, but log each as `DECODE_ERROR`. */
const READ =
  /\[verbose\] +Input stream #(\d+):(\d+) \(\w+\): (\d+) packets read [^;]*;(?: (\d+) frames decoded;?(?: (\d+) decode errors)?(?: \((\d+) samples\))?)?/;
const DECODE_ERROR = /\[error\] Error while decoding stream #(\d+:\d+): /;
const WRITTEN = /\[verbose\] +Output stream #(\d+:\d+) \(\w+\):.* (\d+) packets muxed/;
const CORRUPT_FRAME = /^\[[va]ist#(\d+:\d+)\/.*corrupt decoded frame/;
/** Logged by ffmpeg 6.0 and older. Only those of the first input count. */
const CORRUPT_FRAME_OF_INPUT = /^\[warning\] .*: corrupt decoded frame in stream (\d+)$/;

/** ebur128 logs its summary in pieces. Another thread's line may follow on the same line. */
const INTEGRATED = /^ +I: +(\S+) LUFS/;
const TRUE_PEAK = /^ +Peak: +(\S+) dBFS/;

/** `tail` returns the last lines of warning level or above. */
export function createReportReader(): { read(chunk: string): void; tail(): string; report(): RunReport } {
  let rest = "";
  let tail = "";
  const decoded: DecodedStream[] = [];
  const written = new Map<string, number>();
  const corrupt = new Map<string, number>();
  const errorsOf = new Map<string, number>();
  let integratedLufs: number | null = null;
  let truePeakDb: number | null = null;

  const readLine = (line: string): void => {
    const [, ofInput] = CORRUPT_FRAME_OF_INPUT.exec(line) ?? [];
    count(corrupt, ofInput === undefined ? CORRUPT_FRAME.exec(line)?.[1] : `0:${ofInput}`);
    count(errorsOf, DECODE_ERROR.exec(line)?.[1]);
    integratedLufs = readDecibels(INTEGRATED, line) ?? integratedLufs;
    truePeakDb = readDecibels(TRUE_PEAK, line) ?? truePeakDb;
    if (!CHATTER.test(line)) {
      tail = lastLines(`${tail}${line.replace(LEVEL, "")}\n`, KEPT_CHARACTERS);
      return;
    }
    const [, output, packets] = WRITTEN.exec(line) ?? [];
    if (output !== undefined) written.set(output, Number(packets));
    const read = READ.exec(line);
    if (!read) return;
    const [input, stream, packetsRead, frames, errors, samples] = read.slice(1).map((digits) => Number(digits ?? 0));
    const name = `${input}:${stream}`;
    const logged = { errors: errors || (errorsOf.get(name) ?? 0), corruptFrames: corrupt.get(name) ?? 0 };
    const counts = { packets: packetsRead!, frames: frames!, samples: samples!, ...logged };
    decoded.push({ input: input!, stream: stream!, ...counts });
  };

  return {
    read(chunk) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!.slice(0, KEPT_CHARACTERS);
      for (const line of lines) readLine(line);
    },
    tail: () => lastLines(`${tail}${CHATTER.test(rest) ? "" : rest.replace(LEVEL, "")}`, KEPT_CHARACTERS),
    report: () => ({
      decoded,
      written,
      loudness: integratedLufs === null || truePeakDb === null ? null : { integratedLufs, truePeakDb },
    }),
  };
}

function count(counts: Map<string, number>, name: string | undefined): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Returns null for other lines. ffmpeg writes "-inf" for digital silence. */
function readDecibels(pattern: RegExp, line: string): number | null {
  const text = pattern.exec(line)?.[1];
  if (text === undefined) return null;
  const decibels = Number(text);
  return Number.isNaN(decibels) ? Number.NEGATIVE_INFINITY : decibels;
}
