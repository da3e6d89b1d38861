import type { FrameTimes } from "../health/frame-timing.ts";
import { createPacketList, type PacketList, type StreamFacts } from "../packet-facts.ts";
import { openSource } from "../plan/arguments/source-arguments.ts";
import { readLines } from "./read-lines.ts";
import { FIRST_PIPE, listFirstFrames } from "./try-decoding.ts";
import type { FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";

export type PacketFacts = StreamFacts & {
  /** Presentation times; 0 is the start of the file. */
  times: FrameTimes;
  others: ReadonlyMap<number, StreamFacts>;
  /** ffmpeg continues the time at a reset, but only when it reads from the start. */
  isClockReset: boolean;
  /** Distinct headers found, at most 2; null if the filter failed or none was given. */
  headers: number | null;
  /** If false, `tryDecoding` finds the reason. */
  areDecodable: boolean;
};

/**
 * `others` are summarized, `headerFilter` keeps only the stream's headers, and the first frame of each of `decoded` is
 * decoded.
 */
type Wanted = {
  formatName: string;
  stream: number;
  others: readonly number[];
  headerFilter: string | undefined;
  decoded: readonly number[];
};

/**
 * An edit list may show parts of one group of pictures in turn: ffmpeg reads the group again for each part, with
 * earlier times, and would raise those to the latest decoding time. All decoding times are therefore moved back two
 * days, in ascending order.
 */
const KEEP_TIMES = ["-bsf:v", "setts=pts=PTS:dts=max(PREV_OUTDTS\\,DTS-172800/TB)"];

/**
 * Lists all packets in one pass, and decodes first frames, which is cheaper than another ffmpeg. Returns no packets for
 * an unreadable file. Throws what `readLines` throws and "too_large" if the stream has too many packets.
 */
export async function readPackets(
  tools: FfmpegTools,
  path: string,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<PacketFacts> {
  const list = listPackets(wanted);
  // More threads would decode more frames.
  const args = ["-loglevel", "warning", "-threads", "1", ...openSource(path), ...list.outputs];
  const exitCode = await readLines(tools, path, args, list.readers, signal);
  if (exitCode === 0) return list.facts();
  // A decoder may have failed instead of the list.
  if (wanted.decoded.length > 0) return await readPackets(tools, path, { ...wanted, decoded: [] }, signal);
  // The filter may have failed instead of the file.
  if (wanted.headerFilter) return await readPackets(tools, path, { ...wanted, headerFilter: undefined }, signal);
  return listPackets(wanted).facts();
}

/** Returns ffmpeg's outputs and their readers. `facts` are incomplete unless ffmpeg succeeded. */
function listPackets({ formatName, stream, others, headerFilter, decoded }: Wanted) {
  const list = createPacketList();
  const headers = new Set<string>();
  let isClockReset = false;
  const first = listFirstFrames(decoded);
  const headerPipe = FIRST_PIPE + decoded.length;
  const filter = ["-bsf:v", headerFilter ?? "", "-f", "framecrc", `pipe:${headerPipe}`];
  return {
    outputs: [
      ...[stream, ...others].flatMap((one) => ["-map", `0:${one}`]),
      ...["-c", "copy", "-copyinkf", ...(/\bmov\b/.test(formatName) ? KEEP_TIMES : [])],
      ...["-f", "framecrc", "pipe:1"],
      ...first.outputs,
      ...(headerFilter === undefined ? [] : ["-map", `0:${stream}`, "-c", "copy", ...filter]),
    ],
    readers: {
      1: list.read,
      2: (line: string) => (isClockReset ||= CLOCK_RESET.test(line)),
      ...first.readers,
      ...(headerFilter === undefined ? {} : { [headerPipe]: readHeaders(headers) }),
    },
    facts: (): PacketFacts => ({
      ...list.factsOf(0),
      times: list.times(),
      others: describeOthers(list, others),
      isClockReset,
      headers: headerFilter === undefined ? null : headers.size,
      areDecodable: decoded.length > 0 && first.hasFrame.every(Boolean),
    }),
  };
}

/** Logged by ffmpeg 6 and newer. */
const CLOCK_RESET = /^\[.*timestamp discontinuity/;
/** Four numbers, then size and checksum. */
const HEADER = /^0,(?:[^,]*,){3} *(\d+, 0x[0-9a-f]+)/;

function readHeaders(headers: Set<string>): (line: string) => void {
  return (line) => {
    const [, header] = HEADER.exec(line) ?? [];
    // Two are enough to detect a change.
    if (header !== undefined && headers.size < 2) headers.add(header);
  };
}

function describeOthers(list: PacketList, others: readonly number[]): PacketFacts["others"] {
  return new Map(others.map((stream, i) => [stream, list.factsOf(i + 1)]));
}
