import type { BarLevels } from "../coded-picture.ts";
import { BT601, BT709, codedClip, type CorpusClip, H264, HEVC, tagged, UNTAGGED, VP8, VP9 } from "./corpus-clip.ts";

/** Tone mapping keeps levels below about 150. */
const HDR_BARS: BarLevels = [40, 128];
const HDR10 = ["-pix_fmt", "yuv420p10le"];
/** Converts to linear light, relative to reference white in nits. */
const TO_LIGHT = [
  "format=gbrp",
  "setparams=colorspace=gbr:color_primaries=bt709:color_trc=bt709:range=pc",
  "zscale=t=linear:npl=203",
  "format=gbrpf32le",
];
const toHdr = (transfer: string) => [
  ...[...TO_LIGHT, "zscale=p=2020"],
  ...[`zscale=t=${transfer}:m=2020_ncl:r=limited:npl=203`, "format=yuv420p10le"],
];
const PQ = toHdr("smpte2084");
const HLG = toHdr("arib-std-b67");
const hevc = (params: string) => [
  "-c:v",
  "libx265",
  "-preset",
  "ultrafast",
  "-crf",
  "8",
  "-x265-params",
  `log-level=none${params}`,
];

const hdr = [
  { name: "pq.mp4", filters: PQ, picture: [...hevc(""), ...HDR10], inSample: true },
  { name: "pq.mov", filters: PQ, picture: [...hevc(""), ...HDR10, "-tag:v", "hvc1"] },
  { name: "pq.webm", filters: PQ, picture: [...VP9, "-profile:v", "2", ...HDR10] },
  { name: "hlg.mp4", filters: HLG, picture: [...hevc(""), ...HDR10] },
  { name: "hlg.mkv", filters: HLG, picture: [...hevc(""), ...HDR10] },
  // some phones and editors name only the transfer function
  {
    name: "pq-bare.mp4",
    filters: [...PQ, "setparams=colorspace=unknown:color_primaries=unknown"],
    picture: [...hevc(":transfer=smpte2084"), ...HDR10],
  },
].map(({ name, ...options }) =>
  codedClip(`hdr-${name}`, "HDR", {
    ...{ seconds: 1, rate: "15", bars: HDR_BARS, ...options },
    ...(name.endsWith("webm") ? { sound: { encode: ["-c:a", "libopus"] } } : {}),
  }),
);

/** `zscale` is zscale's name of the matrix. */
const matrixTo = (zscale: string, format = "yuv420p", range = "limited") => [
  ...["format=gbrp", `zscale=matrix=${zscale}:range=${range}`, `format=${format}`],
];
/** zscale cannot convert to this matrix. */
const TO_240M = [
  "scale=out_color_matrix=smpte240m:out_range=tv:flags=accurate_rnd+full_chroma_int",
  "format=yuv420p",
  "setparams=range=tv:colorspace=smpte240m:color_primaries=smpte240m:color_trc=smpte240m",
];
const matrices = [
  { name: "601-tagged", about: "BT.601, tagged", filters: BT601 },
  { name: "601-pal", about: "BT.601 of PAL, tagged", filters: matrixTo("470bg") },
  { name: "fcc", about: "the FCC matrix", filters: matrixTo("fcc") },
  { name: "240m", about: "SMPTE 240M", filters: TO_240M, inSample: true },
  { name: "601-untagged", about: "BT.601, untagged and small", filters: [...BT601, UNTAGGED] },
  { name: "full-range", about: "full range", filters: matrixTo("709", "yuv420p", "full") },
  { name: "full-range-601", about: "full range of BT.601", filters: matrixTo("170m", "yuv420p", "full") },
  { name: "10-bit", about: "10 bits", filters: matrixTo("709", "yuv420p10le") },
  { name: "422", about: "4:2:2", filters: matrixTo("709", "yuv422p") },
  { name: "444", about: "4:4:4", filters: matrixTo("709", "yuv444p") },
  {
    name: "2020-sdr",
    about: "BT.2020 without HDR",
    filters: [
      "format=gbrp",
      "zscale=tin=709:pin=709:min=gbr:rin=full:t=709:p=2020:m=2020_ncl:r=limited",
      "format=yuv420p10le",
    ],
  },
  {
    name: "p3",
    about: "wide primaries of a phone",
    filters: [
      "format=gbrp",
      "zscale=tin=709:pin=709:min=gbr:rin=full:t=709:p=smpte432:m=709:r=limited",
      "format=yuv420p",
    ],
    picture: HEVC,
  },
].map(({ name, about, ...options }) => codedClip(`color-${name}.mp4`, about, { seconds: 1, rate: "15", ...options }));

const codecs = [
  {
    name: "rgb.mkv",
    filters: ["format=rgb24"],
    picture: ["-c:v", "libx264rgb", "-preset", "ultrafast", "-crf", "8"],
  },
  {
    name: "prores.mov",
    filters: [...matrixTo("709", "yuv422p10le"), ...tagged("bt709")],
    picture: ["-c:v", "prores_ks", "-profile:v", "1"],
  },
  {
    name: "prores-untagged.mov",
    filters: [...matrixTo("709", "yuv422p10le"), UNTAGGED],
    picture: ["-c:v", "prores_ks", "-profile:v", "1"],
  },
  { name: "mjpeg.avi", filters: matrixTo("170m", "yuvj420p", "full"), picture: ["-c:v", "mjpeg", "-q:v", "2"] },
  { name: "mpeg4.avi", filters: BT601, picture: ["-c:v", "mpeg4", "-q:v", "2"] },
  { name: "wmv.asf", filters: BT601, picture: ["-c:v", "wmv2", "-q:v", "2"] },
  { name: "hevc.mp4", filters: BT709, picture: HEVC },
  {
    name: "vp8.webm",
    filters: BT601,
    picture: VP8,
  },
  { name: "vp9.webm", filters: BT709, picture: VP9 },
  {
    name: "av1.mp4",
    filters: BT709,
    picture: ["-c:v", "libsvtav1", "-preset", "12", "-crf", "12", "-svtav1-params", "lp=1"],
  },
  {
    name: "fields.ts",
    filters: BT709,
    picture: ["-c:v", "mpeg2video", "-q:v", "2", "-flags", "+ilme+ildct", "-top", "1"],
  },
].map(({ name, ...options }) =>
  codedClip(`codec-${name}`, "another codec", {
    ...{ seconds: 1, ...options },
    sound: { encode: soundOf(name) },
  }),
);

/** Half as bright over black. */
const HALF_TRANSPARENT = ["format=gbrap", "lutrgb=a=128", "scale=out_color_matrix=smpte170m:out_range=tv"];
const transparent = [
  { name: "vp9.webm", format: "yuva420p", picture: [...VP9, "-auto-alt-ref", "0"], encode: ["-c:a", "libopus"] },
  { name: "vp8.webm", format: "yuva420p", picture: [...VP8, "-auto-alt-ref", "0"], encode: ["-c:a", "libopus"] },
  {
    name: "prores.mov",
    ...{ format: "yuva444p10le", encode: ["-c:a", "pcm_s16le"] },
    picture: ["-c:v", "prores_ks", "-profile:v", "4444", "-alpha_bits", "16", "-colorspace", "smpte170m"],
  },
].map(({ name, format, picture, encode }) =>
  codedClip(`alpha-${name}`, "half transparent", {
    ...{ seconds: 1, rate: "15", picture, sound: { encode } },
    filters: [...HALF_TRANSPARENT, `format=${format}`],
    expected: { bars: [16, 100] },
    inSample: name === "vp9.webm",
  }),
);

function soundOf(name: string): string[] {
  if (name.endsWith("webm")) return ["-c:a", "libopus"];
  return name.endsWith("avi") || name.endsWith("mov") || name.endsWith("asf") ? ["-c:a", "pcm_s16le"] : ["-c:a", "aac"];
}

export const COLOR_CLIPS: CorpusClip[] = [
  ...hdr,
  ...matrices,
  ...codecs,
  ...transparent,
  codedClip("color-709-untagged.mp4", "BT.709, untagged and large", {
    ...{ width: 1280, height: 720, seconds: 1, rate: "5", filters: [...BT709, UNTAGGED], picture: H264 },
    expected: { matrix: "bt709" },
  }),
];
