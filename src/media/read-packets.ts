/** Lists the packets of a file without decoding: when frames are shown and when streams end, on the clock of a render. */
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { ClipmillError } from "#contract/errors.ts";
import { launchCommand } from "./launch.ts";
import { allowDecoders, openSource } from "./plan/source-arguments.ts";
import { endedFromOutside, type FfmpegTools } from "./run-ffmpeg.ts";

const BASE_SECONDS_AT_MOST = 30;
/** Slower than any disk. */
const BYTES_PER_SECOND_AT_LEAST = 20_000_000;
const KEY_FLAG = 1;
/** Decoded but not shown, because an edit list starts after it. */
const HIDDEN_FLAG = 4;

export type PacketFacts = {
  /** Whether the stream can be decoded from its start. */
  startsWithKeyFrame: boolean;
  /** An edit list leaves out frames after the first that is shown. */
  hidesFrames: boolean;
  /** When each of the stream's packets is shown, ascending and without repeats; 0 is where the file starts. */
  times: number[];
  /** End time of the stream's last packet; null if it has none. */
  endSeconds: number | null;
  /** End times of the other streams that have packets, by index, and the gap after their first packet. */
  others: ReadonlyMap<number, { endSeconds: number; firstGapSeconds: number }>;
};

/** The stream, and others whose ends are also read. */
type Wanted = { index: number; others: number[]; signal?: AbortSignal | undefined };

/**
 * Lists all packets of a stream. Nothing is found in an unreadable file. Throws ClipmillError "render_failed" if ffmpeg was
 * killed.
 */
export async function readPackets(
  tools: FfmpegTools,
  path: string,
  { index, others, signal }: Wanted,
): Promise<PacketFacts> {
  const args = [
    ...["-nostdin", "-hide_banner", "-loglevel", "error", ...openSource(path)],
    ...[index, ...others].flatMap((stream) => ["-map", `0:${stream}`]),
    ...["-c", "copy", "-copyinkf", "-f", "framecrc", "pipe:1"],
  ];
  const command = launchCommand(tools.ffmpeg, allowDecoders(args, tools.codecs), tools.encoder);
  const limitSeconds = BASE_SECONDS_AT_MOST + (await stat(path)).size / BYTES_PER_SECOND_AT_LEAST;
  const child = execa(command.file, command.args, {
    ...command.options,
    stdio: ["ignore", "pipe", "ignore"],
    buffer: false,
    reject: false,
    timeout: Math.ceil(limitSeconds * 1_000),
    forceKillAfterDelay: 500,
    ...(signal ? { cancelSignal: signal } : {}),
  });
  const [list, result] = await Promise.all([readList(child.stdout), child]);
  if (result.signal === "SIGKILL" && !result.timedOut && !signal?.aborted) {
    throw new ClipmillError("render_failed", endedFromOutside("Reading the file"), { facts: { step: "packets" } });
  }
  const packetsOf = (stream: number) => placeInTime((result.exitCode === 0 && list.get(stream)) || []);
  const shown = packetsOf(0);
  return {
    startsWithKeyFrame: list.get(0)?.[0]?.isKey ?? false,
    hidesFrames: hidesFrames(list.get(0) ?? []),
    times: [...new Set(shown.map(({ begins }) => begins))].toSorted((a, b) => a - b),
    endSeconds: endOf(shown),
    others: new Map(
      others.map((stream, i) => {
        const [first, second, ...rest] = packetsOf(i + 1);
        const endSeconds = endOf([first, second, ...rest].filter((packet) => packet !== undefined)) ?? 0;
        return [stream, { endSeconds, firstGapSeconds: first && second ? second.begins - first.ends : 0 }];
      }),
    ),
  };
}

type Packet = { isKey: boolean; isHidden: boolean; decoding: number; time: number; duration: number };

/** A line of the list: stream, decoding time, time, duration, size, checksum, and flags unless the packet is just a keyframe. */
const PACKET = /^(\d+), *(-?\d+), *(-?\d+), *(-?\d+), *\d+, 0x[0-9a-f]+(?:, F=0x([0-9A-F]+))?/;
const NO_TIME = -(2 ** 63);

/** Returns the packets of each stream, in seconds; NaN is a time that the file does not state. */
async function readList(list: Readable): Promise<Map<number, Packet[]>> {
  const packets = new Map<number, Packet[]>();
  const secondsPerUnit = new Map<number, number>();
  for await (const line of createInterface({ input: list })) {
    const [, unitOf, above, below] = /^#tb (\d+): (\d+)\/(\d+)$/.exec(line) ?? [];
    if (unitOf !== undefined) secondsPerUnit.set(Number(unitOf), Number(above) / Number(below));
    const [matched, streamNumber, decoding, time, duration, flagsText = "1"] = PACKET.exec(line) ?? [];
    if (matched === undefined) continue;
    const stream = Number(streamNumber);
    const seconds = (units: string | undefined) =>
      Number(units) === NO_TIME ? Number.NaN : Number(units) * (secondsPerUnit.get(stream) ?? 0);
    const flags = Number.parseInt(flagsText, 16);
    const packet = {
      ...{ isKey: (flags & KEY_FLAG) === KEY_FLAG, isHidden: (flags & HIDDEN_FLAG) === HIDDEN_FLAG },
      ...{ decoding: seconds(decoding), time: seconds(time), duration: Math.max(0, seconds(duration)) },
    };
    const known = packets.get(stream);
    if (known) known.push(packet);
    else packets.set(stream, [packet]);
  }
  return packets;
}

function hidesFrames(packets: Packet[]): boolean {
  const firstShown = packets.findIndex(({ isHidden }) => !isHidden);
  return packets.some(({ isHidden }, i) => isHidden && i > firstShown);
}

/** Returns when the packets that are shown begin and end. */
function placeInTime(packets: Packet[]): { begins: number; ends: number }[] {
  const shown = packets.filter(({ isHidden }) => !isHidden);
  const timed = shown.find(({ time }) => !Number.isNaN(time));
  // program streams time some pictures only: all are decoded at equal distances from when they are shown
  const delay = timed && !Number.isNaN(timed.decoding) ? timed.time - timed.decoding : 0;
  const isTimed = shown.every(({ time }) => !Number.isNaN(time));
  return shown
    .map(({ decoding, time, duration }) => ({ begins: isTimed ? time : decoding + delay, duration }))
    .filter(({ begins }) => !Number.isNaN(begins))
    .map(({ begins, duration }) => ({ begins, ends: begins + duration }));
}

function endOf(packets: { ends: number }[]): number | null {
  return packets.length === 0 ? null : packets.reduce((last, { ends }) => Math.max(last, ends), -Infinity);
}
