import { expect, test } from "vitest";
import { testTools } from "#tests/support/media/media-tools.ts";
import { ALLOWED_CODECS, readCodecs } from "./codecs.ts";

/** Of ffmpeg 7.0, shortened. */
const LISTING = `Codecs:
 D..... = Decoding supported
 -------
 DEV.L. av1                  Alliance for Open Media AV1 (decoders: libdav1d libaom-av1 av1 av1_cuvid av1_qsv) (encoders: libsvtav1)
 DEV.LS h264                 H.264 / AVC / MPEG-4 AVC / MPEG-4 part 10 (decoders: h264 h264_v4l2m2m h264_cuvid) (encoders: libx264)
 DEVI.S magicyuv             MagicYUV video
 ..V.L. vvc                  H.266 / VVC (Versatile Video Coding)
 .EV.L. cfhd                 GoPro CineForm HD
 DEAIL. mp3                  MP3 (MPEG audio layer 3) (decoders: mp3float mp3) (encoders: libmp3lame)
 DES... subrip               SubRip subtitle (decoders: srt subrip) (encoders: srt subrip)
`;

test("lists a build's decoders for the allowed codecs, without hardware decoders", () => {
  expect(readCodecs(LISTING).decoders).toBe("libdav1d,libaom-av1,av1,h264,mp3float,mp3");
});

test("parses display names of codecs", () => {
  const { names } = readCodecs(LISTING);
  expect(["magicyuv", "vvc", "h264", "mp3"].map((codec) => names.get(codec))).toEqual([
    "MagicYUV",
    "H.266",
    "H.264",
    "MP3",
  ]);
});

test("finds a decoder for each allowed codec in the installed ffmpeg, and none for subtitles", async () => {
  const { codecs } = await testTools();
  const unknown = [...ALLOWED_CODECS].filter((codec) => !codecs.names.has(codec));
  expect(unknown).toEqual([]);
  const decoders = codecs.decoders.split(",");
  expect(decoders.length).toBeGreaterThanOrEqual(ALLOWED_CODECS.size);
  expect(decoders).toEqual(expect.arrayContaining(["h264", "png", "aac"]));
  for (const absent of ["magicyuv", "srt", "ass", "webvtt", "mov_text", "dvdsub"])
    expect(decoders).not.toContain(absent);
});
