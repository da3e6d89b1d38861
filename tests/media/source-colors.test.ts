import path from "node:path";
import { expect, test } from "vitest";
import { framePixels, pixelAt, probeFile } from "#tests/support/media/measure.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);

/** The watermark is away from the measured places. */
async function renderDrawnOn(name: string): Promise<string> {
  const [output] = await renderClip(file(`${name}-out`), { source: file(name), watermark: "@" });
  return output!.path;
}

const HEVC_10 = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le"];

const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "10"];

/** Orders 10-bit codes from left to right. */
async function makeHdrBars(
  name: string,
  options: { codes: number[]; transfer: string; tags?: string[] },
): Promise<void> {
  const { codes, transfer } = options;
  const tags = options.tags ?? ["colorprim=bt2020", "colormatrix=bt2020nc"];
  const luma = codes.reduceRight((rest, code, i) => `if(lt(X,${(i + 1) * 32}),${code},${rest})`, "64");
  const bars = `color=black:s=${codes.length * 32}x96:r=10,format=yuv420p10le,geq=lum='${luma}':cb=512:cr=512`;
  const params = ["log-level=none", `transfer=${transfer}`, "range=limited", ...tags].join(":");
  await runTestFfmpeg(["-f", "lavfi", "-i", bars, "-t", "0.3", ...HEVC_10, "-x265-params", params, file(name)]);
}

/** 10-bit codes of black, 18 % gray, reference white (203 nits) and 1,000 nits (BT.2408). */
const HDR = {
  smpte2084: [64, 64 + 876 * 0.38, 64 + 876 * 0.58, 64 + 876 * 0.7518].map(Math.round),
  "arib-std-b67": [64, 64 + 876 * 0.38, 64 + 876 * 0.75, 64 + 876].map(Math.round),
};

test.each([
  { transfer: "smpte2084", tags: undefined },
  { transfer: "arib-std-b67", tags: undefined },
  // some phones and editors tag only the transfer function
  { transfer: "smpte2084", tags: [] },
  { transfer: "arib-std-b67", tags: [] },
] as const)("HDR of $transfer becomes SDR with correct grays ($tags)", async ({ transfer, tags }) => {
  const name = `${transfer}-${tags === undefined ? "tagged" : "bare"}.mp4`;
  await makeHdrBars(name, { codes: HDR[transfer], transfer, ...(tags ? { tags: [...tags] } : {}) });
  const output = await renderDrawnOn(name);
  const frame = await framePixels(output, 0.1);
  const [black, gray, white, bright] = [16, 48, 80, 112].map((x) => pixelAt(frame, x, 30)) as [P, P, P, P];
  for (const { red, green, blue } of [black, gray, white, bright])
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(6);
  expect(black.green).toBeLessThan(10);
  // 18 % gray is 104 in SDR video
  expect(gray.green).toBeGreaterThan(80);
  expect(gray.green).toBeLessThan(125);
  expect(white.green).toBeGreaterThan(185);
  expect(white.green).toBeLessThan(235);
  expect(bright.green).toBeGreaterThan(white.green + 10);
  expect((await probeFile(output)).streams[0]).toMatchObject({ codec: "h264", pixelFormat: "yuv420p" });
});
type P = { red: number; green: number; blue: number };

type Kind = { name: string; filter: string; tags: string[]; size?: string; encode?: string[] };

test.each<Kind>([
  {
    name: "full-range.mp4",
    filter: "zscale=min=gbr:rin=full:m=709:r=full,format=yuvj420p",
    tags: ["-color_range", "pc", "-colorspace", "bt709"],
  },
  { name: "wide-709.mp4", filter: "scale=out_color_matrix=bt709,format=yuv420p10le", tags: ["-colorspace", "bt709"] },
  { name: "untagged-hd.mp4", filter: "scale=1280:720:out_color_matrix=bt709,format=yuv420p", tags: [] },
  { name: "untagged-sd.mp4", filter: "scale=out_color_matrix=bt601,format=yuv420p", tags: [] },
  // players go by the stored height: portrait counts as high definition
  {
    name: "untagged-portrait.mp4",
    size: "360x640",
    filter: "scale=out_color_matrix=bt709,format=yuv420p",
    tags: [],
  },
  {
    name: "television-240m.mp4",
    filter: "zscale=min=gbr:rin=full:m=smpte240m:r=limited,format=yuv420p",
    tags: ["-colorspace", "smpte240m", "-color_primaries", "bt709", "-color_trc", "bt709"],
  },
  {
    name: "untagged-prores.mov",
    filter: "scale=out_color_matrix=bt709,format=yuv422p10le",
    tags: [],
    encode: ["-c:v", "prores_ks", "-profile:v", "1"],
  },
  {
    name: "television-prores.mov",
    size: "720x480",
    filter: "scale=out_color_matrix=bt601,format=yuv422p10le",
    tags: [],
    encode: ["-c:v", "prores_ks", "-profile:v", "1"],
  },
  // VP8 has no other matrix (RFC 6386, section 9.2), and the decoder reports it
  {
    name: "meeting.webm",
    size: "1280x720",
    filter: "scale=out_color_matrix=bt601,format=yuv420p",
    tags: [],
    encode: ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "4M"],
  },
  {
    name: "sdr-2020.mp4",
    filter: "zscale=m=2020_ncl:r=limited:p=2020:pin=709:t=709:tin=709:min=gbr:rin=full,format=yuv420p10le",
    tags: ["-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "bt709"],
  },
])("$name keeps its colors", async ({ name, filter, tags, size = "128x96", encode: encoder = H264 }) => {
  const picture = `color=0xc04020:s=${size}:r=10,format=gbrp,drawbox=w=iw/2:h=ih:t=fill:c=0x2060a0`;
  const encode = ["-vf", filter, ...encoder, ...tags];
  await runTestFfmpeg(["-f", "lavfi", "-i", picture, "-t", "0.3", ...encode, file(name)]);
  const frame = await framePixels(await renderDrawnOn(name), 0.1);
  const seen = [0.25, 0.75].map((x) => Object.values(pixelAt(frame, frame.width * x, frame.height * 0.3)));
  const expected = [
    [0x20, 0x60, 0xa0],
    [0xc0, 0x40, 0x20],
  ];
  const most = Math.max(...seen.flatMap((color, i) => color.map((c, j) => Math.abs(c - expected[i]![j]!))));
  expect(most).toBeLessThan(10);
});
