/** Lists a file's packets: frame times and stream ends, on the clock of a render. */
import type { FrameTimes } from "../health/frame-timing.ts";
import { createPacketList, type PacketList, type StreamFacts } from "../packet-facts.ts";
import { openSource } from "../plan/arguments/source-arguments.ts";
import { readLines } from "./read-lines.ts";
import { FIRST_PIPE, listFirstFrames } from "./try-decoding.ts";
import type { FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";

export type PacketFacts = StreamFacts & {
  /** When each of the stream's packets is shown; 0 is the start of the file. */
  times: FrameTimes;
  /** The other streams by index. */
  others: ReadonlyMap<number, StreamFacts>;
  /** The clock was reset: ffmpeg continues the time, but only when it reads from the start. */
  isClockReset: boolean;
  /** Number of distinct headers the filter found, at most 2; null if it failed or none was given. */
  headers: number | null;
  /** True if the first frame of each wanted stream was decoded. If not, `tryDecoding` finds the reason. */
  areDecodable: boolean;
};

/**
 * The stream, others to summarize, a bitstream filter that keeps only the stream's headers, and the streams whose first
 * frame is decoded.
 */
type Wanted = {
  formatName: string;
  index: number;
  others: number[];
  headerFilter?: string | undefined;
  decoded?: readonly number[];
  signal?: AbortSignal | undefined;
};

/**
 * An edit list may show parts of one group of pictures in turn: ffmpeg reads the group again for each part, with
 * earlier times. It would raise those to the latest decoding time, so all decoding times are moved back two days, in
 * ascending order.
 */
const KEEP_TIMES = ["-bsf:v", "setts=pts=PTS:dts=max(PREV_OUTDTS\\,DTS-172800/TB)"];

/**
 * Lists all packets of a file's streams in one pass. It also decodes first frames, which takes less time than starting
 * another ffmpeg. Returns no packets for an unreadable file. Throws what `readLines` throws and "too_large" if the stream
 * has too many packets.
 */
export async function readPackets(tools: FfmpegTools, path: string, wanted: Wanted): Promise<PacketFacts> {
  const { formatName, index, others, headerFilter, decoded = [], signal } = wanted;
  const streams = [index, ...others].flatMap((stream) => ["-map", `0:${stream}`]);
  const list = createPacketList();
  const headers = new Set<string>();
  let isClockReset = false;
  const first = listFirstFrames(decoded);
  const headerPipe = FIRST_PIPE + decoded.length;
  const filter = ["-bsf:v", headerFilter ?? "", "-f", "framecrc", `pipe:${headerPipe}`];
  const exitCode = await readLines(
    tools,
    path,
    [
      // more threads would decode more frames
      ...["-loglevel", "warning", "-threads", "1", ...openSource(path)],
      ...[...streams, "-c", "copy", "-copyinkf", ...(/\bmov\b/.test(formatName) ? KEEP_TIMES : [])],
      ...["-f", "framecrc", "pipe:1"],
      ...first.outputs,
      ...(headerFilter === undefined ? [] : ["-map", `0:${index}`, "-c", "copy", ...filter]),
    ],
    {
      1: list.read,
      2: (line) => (isClockReset ||= CLOCK_RESET.test(line)),
      ...first.readers,
      ...(headerFilter === undefined ? {} : { [headerPipe]: readHeaders(headers) }),
    },
    signal,
  );
  if (exitCode !== 0 && decoded.length > 0) {
    // a decoder may have failed instead of the list
    return await readPackets(tools, path, { ...wanted, decoded: [] });
  }
  if (exitCode !== 0 && headerFilter !== undefined) {
    // the filter may have failed instead of the file
    return await readPackets(tools, path, { ...wanted, headerFilter: undefined });
  }
  const found = exitCode === 0 ? list : createPacketList();
  return {
    ...found.factsOf(0),
    times: found.times(),
    others: describeOthers(found, others),
    isClockReset,
    headers: headerFilter === undefined ? null : headers.size,
    areDecodable: decoded.length > 0 && first.hasFrame.every(Boolean),
  };
}

/** Logged by ffmpeg 6 and newer. */
const CLOCK_RESET = /^\[.*timestamp discontinuity/;
/** Matches a line of the list: four numbers, then size and checksum. */
const HEADER = /^0,(?:[^,]*,){3} *(\d+, 0x[0-9a-f]+)/;

function readHeaders(headers: Set<string>): (line: string) => void {
  return (line) => {
    const [, header] = HEADER.exec(line) ?? [];
    // two are enough to detect a change
    if (header !== undefined && headers.size < 2) headers.add(header);
  };
}

function describeOthers(list: PacketList, others: readonly number[]): PacketFacts["others"] {
  return new Map(others.map((stream, i) => [stream, list.factsOf(i + 1)]));
}
