import { boxesIn, findBox, readHeader } from "./read-mp4.ts";
import type { Wanted } from "./read-packets.ts";
import { headerFilterOf } from "./read-shapes.ts";

/** Enough for ten minutes of video with sound. */
const LIMITS = { headerBytes: 2 * 1024 ** 2, boxes: 16 };
const PICTURES: Partial<Record<string, string>> = { avc1: "h264", avc3: "h264", hvc1: "hevc", hev1: "hevc" };
const FORMAT_NAME = "mov,mp4,m4a,3gp,3g2,mj2";

/**
 * Predicts which packet facts `probe` needs from an MP4 with one picture, in H.264 or HEVC, and at most one sound, so that
 * one ffmpeg can open the file and read them. Returns null for any other file. A hostile file can make it wrong, so
 * compare it with ffmpeg's report.
 */
export async function guessPackets(path: string): Promise<Wanted | null> {
  const file = await readHeader(path, LIMITS);
  if (file === null) return null;
  const tracks = boxesIn(file.header).filter(({ name }) => name === "trak");
  const kinds = tracks.map(({ content }) => findBox(content, ["mdia", "hdlr"])?.toString("latin1", 8, 12));
  const [picture, sound] = [kinds.indexOf("vide"), kinds.indexOf("soun")];
  if (picture < 0 || tracks.length !== (sound < 0 ? 1 : 2)) return null;
  const description = findBox(tracks[picture]!.content, ["mdia", "minf", "stbl", "stsd"]);
  const codec = PICTURES[description?.toString("latin1", 12, 16) ?? ""];
  if (codec === undefined) return null;
  const others = sound < 0 ? [] : [sound];
  return {
    ...{ formatName: FORMAT_NAME, stream: picture, others, headerFilter: headerFilterOf({ codec }) },
    decoded: [picture, ...others],
  };
}
