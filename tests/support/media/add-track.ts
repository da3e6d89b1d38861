/** Adds tracks that cameras, phones and editors write beside picture and sound, and that ffmpeg cannot mux. */
import { readFile, writeFile } from "node:fs/promises";
import { box, numbers } from "#media/joining/boxes.ts";
import { boxesIn } from "#media/probe/read-mp4.ts";

type Kind = { handler: string; entry: string; head: Buffer; isChapter?: boolean };

const SOUND_HEAD = numbers([0, 0, 0x0002_0010, 0, 48_000 << 16]);
/** Version, size, resolution, one frame a sample, no name, 24 bits. */
const PICTURE_HEAD = Buffer.concat([
  ...[Buffer.alloc(16), numbers([0x0010_0010, 0x0048_0000, 0x0048_0000, 0]), Buffer.from([0, 1])],
  ...[Buffer.alloc(32), Buffer.from([0, 24, 0xff, 0xff])],
]);
/** Flags, 30 units per second, one unit and 30 frames. */
const TIMECODE_HEAD = Buffer.concat([numbers([0, 0, 30, 1]), Buffer.from([30, 0])]);

export const EXTRA_TRACKS = {
  telemetry: { handler: "meta", entry: "gpmd", head: Buffer.alloc(0) },
  mebx: { handler: "meta", entry: "mebx", head: box("keys") },
  chapters: { handler: "text", entry: "text", head: Buffer.alloc(43), isChapter: true },
  thumbnails: { handler: "vide", entry: "jpeg", head: PICTURE_HEAD, isChapter: true },
  timecode: { handler: "tmcd", entry: "tmcd", head: TIMECODE_HEAD },
  "closed captions": { handler: "clcp", entry: "c608", head: Buffer.alloc(0) },
  subtitles: { handler: "sbtl", entry: "tx3g", head: Buffer.alloc(30) },
  apac: { handler: "soun", entry: "apac", head: SOUND_HEAD },
} satisfies Record<string, Kind>;

/** For `addTrack`: reserves room for it at the start of an MP4. */
export const ROOM_IN_FRONT = ["-moov_size", "16000"];

const MEDIA_HEADERS: Partial<Record<string, string>> = { vide: "vmhd", soun: "smhd" };
const SAMPLES = 4;
const SAMPLE = Buffer.from("\0\u0006sample");
const UNITS_PER_SECOND = 1_000;
const MATRIX = numbers([0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]);

/** Adds a track of four samples that lasts `seconds` to a file made with `ROOM_IN_FRONT`, its samples in front. */
export async function addTrack(from: string, to: string, name: keyof typeof EXTRA_TRACKS, seconds: number) {
  const file = await readFile(from);
  const [types, movie, room, ...media] = readBoxes(file);
  if (movie?.name !== "moov" || room?.name !== "free") throw new Error(`${from} has no room for a track.`);
  const parts = boxesIn(movie.content);
  const header = Buffer.from(parts.find((part) => part.name === "mvhd")!.content);
  const perSecond = header.readUInt32BE(12);
  header.writeUInt32BE(Math.max(header.readUInt32BE(16), seconds * perSecond), 16);
  const kind: Kind = EXTRA_TRACKS[name];
  const id = parts.filter((part) => part.name === "trak").length + 1;
  const movieWith = (samplesAt: number) => {
    const track = trackBox(kind, { id, seconds, perSecond, samplesAt });
    const others = parts.map((part) => {
      if (part.name === "mvhd") return box("mvhd", header);
      const refers = part.name === "trak" && kind.isChapter;
      return box(part.name, part.content, ...(refers ? [box("tref", box("chap", numbers([id])))] : []));
    });
    return box("moov", ...others, track);
  };
  const samplesAt = types!.bytes + movieWith(0).length + 8;
  const samples = box("mdat", ...Array.from({ length: SAMPLES }, () => SAMPLE));
  const used = movieWith(samplesAt).length + samples.length;
  const left = Buffer.alloc(movie.bytes + room.bytes - used - 8);
  const rest = media.map((part) => box(part.name, part.content));
  await writeFile(
    to,
    Buffer.concat([box("ftyp", types!.content), movieWith(samplesAt), samples, box("free", left), ...rest]),
  );
}

function readBoxes(file: Buffer) {
  return boxesIn(file).map((part) => Object.assign(part, { bytes: part.content.length + 8 }));
}

function trackBox(
  { handler, entry, head }: Kind,
  { id, seconds, perSecond, samplesAt }: { id: number; seconds: number; perSecond: number; samplesAt: number },
): Buffer {
  const units = seconds * UNITS_PER_SECOND;
  const table = box(
    "stbl",
    box("stsd", numbers([0, 1]), box(entry, numbers([0, 1]), head)),
    box("stts", numbers([0, 1, SAMPLES, units / SAMPLES])),
    box("stsc", numbers([0, 1, 1, SAMPLES, 1])),
    box("stsz", numbers([0, SAMPLE.length, SAMPLES])),
    box("stco", numbers([0, 1, samplesAt])),
  );
  const reference = box("dinf", box("dref", numbers([0, 1]), box("url ", numbers([1]))));
  return box(
    "trak",
    box("tkhd", numbers([3, 0, 0, id, 0, seconds * perSecond, 0, 0, 0, 0]), MATRIX, numbers([0, 0])),
    box(
      "mdia",
      box("mdhd", numbers([0, 0, 0, UNITS_PER_SECOND, units, 0x55c4_0000])),
      box("hdlr", numbers([0, 0]), Buffer.from(handler), Buffer.alloc(13)),
      box("minf", box(MEDIA_HEADERS[handler] ?? "nmhd", Buffer.alloc(handler === "vide" ? 12 : 8)), reference, table),
    ),
  );
}
