import { boxesIn, findBox, readHeader } from "../probe/read-mp4.ts";

type Track = { codec: string; seconds: number; bytes: number };

export type Mp4Summary = {
  sizeBytes: number;
  /** The index precedes the media, so that playback can start during the download. */
  isIndexInFront: boolean;
  hasEditLists: boolean;
  video: Track & {
    width: number;
    height: number;
    frames: number;
    /** Longest time between the starts of two keyframes, or from the last one to the end. */
    maxKeyframeSeconds: number;
  };
  audio: (Track & { hz: number; channels: number }) | null;
};

const CODECS: Record<string, string> = { avc1: "H.264", avc3: "H.264", hvc1: "HEVC", hev1: "HEVC", mp4a: "AAC" };

/** Only for MP4s that Clipmill wrote. Returns null without a picture or for an incomplete file. */
export async function readMp4Summary(path: string): Promise<Mp4Summary | null> {
  const file = await readHeader(path);
  if (!file) return null;
  const tracks = boxesIn(file.header).flatMap(({ name, content }) => (name === "trak" ? [content] : []));
  const ofKind = (kind: string) => tracks.find((track) => kindOf(track) === kind);
  const [video, audio] = [ofKind("vide"), ofKind("soun")];
  if (!video) return null;
  return {
    sizeBytes: file.sizeBytes,
    isIndexInFront: file.isInFront,
    hasEditLists: tracks.some((track) => findBox(track, ["edts", "elst"]) !== undefined),
    video: readPicture(video),
    audio: audio ? readSound(audio) : null,
  };
}

function kindOf(track: Buffer): string | undefined {
  return findBox(track, ["mdia", "hdlr"])?.toString("latin1", 8, 12);
}

function readPicture(track: Buffer): Mp4Summary["video"] {
  const description = describe(track);
  const { starts, end } = sampleTimes(track);
  const keyframes = findBox(track, [...TABLES, "stss"]);
  // Without the table, every frame is a keyframe.
  const indexes = keyframes ? numbersIn(keyframes, 8, keyframes.readUInt32BE(4)).map((one) => one - 1) : starts.keys();
  const times = [...indexes].map((index) => starts[index]!);
  const gaps = times.map((time, i) => (times[i + 1] ?? end) - time);
  return {
    ...summarize(track),
    // 8 bytes of a sample entry, then 16 before the size.
    width: description.content.readUInt16BE(24),
    height: description.content.readUInt16BE(26),
    frames: starts.length,
    maxKeyframeSeconds: gaps.reduce((longest, gap) => Math.max(longest, gap), 0),
  };
}

function readSound(track: Buffer): NonNullable<Mp4Summary["audio"]> {
  const { content } = describe(track);
  // The entry's 16.16 fixed-point rate ends below 65,536 Hz; for AAC, the media's time scale is the rate.
  return { ...summarize(track), channels: content.readUInt16BE(16), hz: timeScale(track) };
}

const TABLES = ["mdia", "minf", "stbl"];

function summarize(track: Buffer): Track {
  const { name } = describe(track);
  return { codec: CODECS[name] ?? name, seconds: sampleTimes(track).end, bytes: sampleBytes(track) };
}

function describe(track: Buffer): { name: string; content: Buffer } {
  const entry = boxesIn(findBox(track, [...TABLES, "stsd"])!.subarray(8))[0];
  if (!entry) throw new Error("The track has no sample description.");
  return entry;
}

function timeScale(track: Buffer): number {
  const header = findBox(track, ["mdia", "mdhd"])!;
  return header.readUInt32BE(header[0] === 1 ? 20 : 12);
}

function sampleTimes(track: Buffer): { starts: number[]; end: number } {
  const times = findBox(track, [...TABLES, "stts"])!;
  const scale = timeScale(track);
  const starts: number[] = [];
  let at = 0;
  for (let entry = 0; entry < times.readUInt32BE(4); entry++) {
    const [count, duration] = [times.readUInt32BE(8 + entry * 8), times.readUInt32BE(12 + entry * 8)];
    for (let i = 0; i < count; i++, at += duration) starts.push(at / scale);
  }
  return { starts, end: at / scale };
}

function sampleBytes(track: Buffer): number {
  const sizes = findBox(track, [...TABLES, "stsz"])!;
  const [each, count] = [sizes.readUInt32BE(4), sizes.readUInt32BE(8)];
  return each > 0 ? each * count : numbersIn(sizes, 12, count).reduce((sum, size) => sum + size, 0);
}

function numbersIn(table: Buffer, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => table.readUInt32BE(from + i * 4));
}
