/** Reads the first and last packets of a stream without decoding. */
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { launchCommand } from "./launch.ts";
import { allowDecoders, openSource } from "./plan/source-arguments.ts";
import type { FfmpegTools } from "./run-ffmpeg.ts";

const SECONDS_AT_MOST = 30;
/** Longer than most keyframe intervals. */
const LOOKED_AT_BEFORE_END_SECONDS = 10;
const KEY_FLAG = 1;

export type PacketFacts = {
  /** Whether the stream can be decoded from its start. */
  startsWithKeyFrame: boolean;
  /** End time of its last packet near the file's end, on the file's clock; null if none was found. */
  endSeconds: number | null;
  /** End time of the last packet of any of the streams read. */
  lastSeconds: number | null;
};

type Wanted = {
  /** The stream, and others whose ends are also read. */
  index: number;
  others: number[];
  /** False if the file does not state its end, or seeking to it does not work. */
  readEnd: boolean;
  signal?: AbortSignal | undefined;
};

/** Reads the packets of a stream. Returns false and nulls for an unreadable file. */
export async function readPackets(
  tools: FfmpegTools,
  path: string,
  { index, others, readEnd, signal }: Wanted,
): Promise<PacketFacts> {
  const copy = ["-c", "copy", "-copyinkf", "-f", "framecrc"];
  const args = [
    ...["-nostdin", "-hide_banner", "-loglevel", "error", "-copyts", ...openSource(path)],
    ...(readEnd ? ["-sseof", `-${LOOKED_AT_BEFORE_END_SECONDS}`, ...openSource(path)] : []),
    ...["-map", `0:${index}`, "-frames", "1", ...copy, "pipe:1"],
    ...(readEnd ? [...[index, ...others].flatMap((stream) => ["-map", `1:${stream}`]), ...copy, "pipe:3"] : []),
  ];
  const command = launchCommand(tools.ffmpeg, allowDecoders(args, tools.codecs), tools.encoder);
  const child = execa(command.file, command.args, {
    ...command.options,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
    buffer: false,
    reject: false,
    timeout: SECONDS_AT_MOST * 1_000,
    forceKillAfterDelay: 500,
    ...(signal ? { cancelSignal: signal } : {}),
  });
  const [first, last, result] = await Promise.all([readList(child.stdio[1]), readList(child.stdio[3]), child]);
  const { endSeconds, lastSeconds } = result.exitCode === 0 ? last : NOTHING_FOUND;
  return { startsWithKeyFrame: first.startsWithKeyFrame, endSeconds, lastSeconds };
}

const NOTHING_FOUND: PacketFacts = { startsWithKeyFrame: false, endSeconds: null, lastSeconds: null };
/** A line of the list: stream, decoding time, time, duration, size, checksum, and flags unless the packet is just a keyframe. */
const PACKET = /^(\d+), *(-?\d+), *(-?\d+), *(-?\d+), *\d+, 0x[0-9a-f]+(?:, F=0x([0-9A-F]+))?/;
const NO_TIME = -(2 ** 63);

async function readList(list: Readable): Promise<PacketFacts> {
  const facts = { ...NOTHING_FOUND };
  const secondsPerUnit = new Map<number, number>();
  let isFirst = true;
  for await (const line of createInterface({ input: list })) {
    const [, unitOf, above, below] = /^#tb (\d+): (\d+)\/(\d+)$/.exec(line) ?? [];
    if (unitOf !== undefined) secondsPerUnit.set(Number(unitOf), Number(above) / Number(below));
    const [matched, stream, decodingTime, time, duration, flags = "1"] = PACKET.exec(line) ?? [];
    if (matched === undefined) continue;
    if (isFirst) facts.startsWithKeyFrame = (Number.parseInt(flags, 16) & KEY_FLAG) === KEY_FLAG;
    isFirst = false;
    const begins = Number(time) === NO_TIME ? Number(decodingTime) : Number(time);
    if (begins === NO_TIME) continue;
    const ends = (begins + Math.max(0, Number(duration))) * (secondsPerUnit.get(Number(stream)) ?? 0);
    if (stream === "0") facts.endSeconds = Math.max(facts.endSeconds ?? -Infinity, ends);
    facts.lastSeconds = Math.max(facts.lastSeconds ?? -Infinity, ends);
  }
  return facts;
}
