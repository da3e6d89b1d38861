import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createSlots } from "#ground/slots.ts";
import { describeExcerpt } from "#media/excerpt/describe-excerpt.ts";
import { probe } from "#media/probe/probe.ts";
import { runFfmpeg } from "#media/ffmpeg/run-ffmpeg.ts";
import { openSource } from "#media/plan/arguments/source-arguments.ts";
import { pretendUsac, renameBoxes, renameTransportStream } from "#tests/support/media/faulty/broken-media.ts";
import { processesNaming, toneLevelDb } from "#tests/support/media/measure.ts";
import { shownFrames } from "#tests/support/media/measure-timing.ts";
import { readTestFfmpeg, runTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { type ClipRequest, renderClip } from "#tests/support/media/render-clip.ts";
import { sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const tools = await testTools();
const PICTURE = ["-f", "lavfi", "-i", "testsrc2=s=352x288:r=25:d=0.4"];
const SOUND = ["-f", "lavfi", "-i", "aevalsrc=0.25*sin(2*PI*1000*t):s=48000:d=0.4"];
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

const REJECTED_PICTURES = [
  { name: "magic.avi", codec: "magicyuv", called: "MagicYUV" },
  { name: "ut.avi", codec: "utvideo", called: "Ut Video" },
  { name: "snow.mkv", codec: "snow", called: "Snow" },
];

test.each(REJECTED_PICTURES)("a video in $codec is rejected by name and never decoded", async (rejected) => {
  const { name, codec, called } = rejected;
  const encode = ["-c:v", codec, ...(codec === "snow" ? ["-strict", "-2"] : []), "-c:a", "pcm_s16le"];
  await runTestFfmpeg([...PICTURE, ...SOUND, ...encode, file(name)]);
  const rejection = {
    code: "unsupported_codec",
    message: `This video uses ${called}, which Clipmill cannot decode. Convert it to H.264 first.`,
  };
  await expect(probe(tools, file(name))).rejects.toMatchObject(rejection);
  await expect(renderClip(file(`${name}-out`), { source: file(name), watermark: "@" })).rejects.toMatchObject(
    rejection,
  );
  // in case anything starts ffmpeg on it anyway
  const args = [...openSource(file(name)), "-map", "0:v", "-f", "null", "-"];
  await expect(runFfmpeg(tools, { step: "test", args })).rejects.toMatchObject({
    tail: expect.stringContaining(`Codec (${codec}) not on whitelist`),
  });
  // its sound works as music
  expect((await probe(tools, file(name), { use: "music" })).audio).toMatchObject({ codec: "pcm_s16le" });
  expect(await processesNaming(folder)).toEqual([]);
});

test("an unsupported sound codec is rejected by name, in a video and as music", async () => {
  await runTestFfmpeg([...PICTURE, ...SOUND, ...H264, "-c:a", "truehd", "-strict", "-2", file("hd.mkv")]);
  const message = "The sound of this video uses TrueHD, which Clipmill cannot decode. Convert it to AAC first.";
  expect((await probe(tools, file("hd.mkv"))).soundError).toMatchObject({ code: "unsupported_codec", message });
  await expect(renderClip(file("hd-out"), { source: file("hd.mkv") })).rejects.toMatchObject({ message });
  const excerpt = { isWhole: true, header: "readable", hasLength: true, hasFirstFrame: false } as const;
  const run = { folder, signal: new AbortController().signal, slots: createSlots(1) };
  const facts = await describeExcerpt(tools, { ...excerpt, path: file("hd.mkv") }, run);
  expect(facts).toMatchObject({ hasSound: true, soundProblem: { code: "unsupported_codec", message } });
  await expect(probe(tools, file("hd.mkv"), { use: "music" })).rejects.toMatchObject({
    message: "This music uses TrueHD, which Clipmill cannot decode. Convert it to AAC or MP3 first.",
  });
});

test.each([
  ["TrueHD", "own-hd.mkv", ["-c:a", "truehd", "-strict", "-2"]],
  ["xHE-AAC", "own-xhe.mp4", ["-c:a", "aac", "-ac", "1"]],
])("own sound in %s rejects a video only where it is used", async (_, name, encode) => {
  await runTestFfmpeg([...PICTURE, ...SOUND, ...H264, ...encode, file(name)]);
  if (name.endsWith("mp4")) await pretendUsac(file(name), file(name));
  await runTestFfmpeg([...SOUND, file("music.m4a")]);
  const segments = { watermark: "@", segmentation: { type: "multiple", segmentSeconds: 0.2 } } as const;
  const tracks = [file("music.m4a")];
  // ffmpeg 7.1 and newer decode xHE-AAC, but not these samples
  const message = expect.stringMatching(/^The sound of th(?:is video uses |e video (?:is damaged|cannot be decoded))/);
  const rejected: Partial<ClipRequest>[] = [
    {},
    { watermark: "@" },
    segments,
    { tracks, settings: { audio_mode: "mix" } },
  ];
  for (const [i, request] of rejected.entries()) {
    const rendered = renderClip(file(`${name}-rejected-${i}`), { source: file(name), ...request });
    await expect(rendered).rejects.toMatchObject({ message });
  }
  const replaced: Partial<ClipRequest>[] = [{}, { watermark: "@" }, segments];
  for (const [i, request] of replaced.entries()) {
    const settings = { audio_mode: "replace" } as const;
    const outputs = await renderClip(file(`${name}-${i}`), { source: file(name), tracks, settings, ...request });
    for (const { path: output, durationSeconds } of outputs) {
      expect(durationSeconds).toBeCloseTo(0.4 / outputs.length, 2);
      expect(await toneLevelDb(output, 1_000, { fromSeconds: 0.05, toSeconds: 0.15 })).toBeGreaterThan(-18);
    }
  }
});

test("uses the supported one of two video streams", async () => {
  const maps = ["-map", "0:v", "-map", "0:v", "-map", "1:a", "-c:v:0", "magicyuv", "-c:v:1", "libx264"];
  await runTestFfmpeg([...PICTURE, ...SOUND, ...maps, "-preset", "ultrafast", "-c:a", "aac", file("two.mkv")]);
  expect((await probe(tools, file("two.mkv"))).video).toMatchObject({ index: 1, codec: "h264" });
});

const VIDEO: [name: string, codec: string, encode: string[]][] = [
  ["h264.mp4", "h264", H264],
  ["hevc.mp4", "hevc", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]],
  ["av1.mp4", "av1", ["-c:v", "libsvtav1", "-preset", "12", "-svtav1-params", "lp=1"]],
  ["vp8.webm", "vp8", ["-c:v", "libvpx", "-deadline", "realtime"]],
  ["vp9.webm", "vp9", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]],
  ["mpeg4.avi", "mpeg4", ["-c:v", "mpeg4"]],
  ["mpeg1.mpg", "mpeg1video", ["-c:v", "mpeg1video"]],
  ["mpeg2.ts", "mpeg2video", ["-c:v", "mpeg2video"]],
  ["mjpeg.avi", "mjpeg", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]],
  ["h263.3gp", "h263", ["-c:v", "h263"]],
  ["theora.ogv", "theora", ["-c:v", "libtheora"]],
  ["flv1.flv", "flv1", ["-c:v", "flv"]],
  ["wmv1.asf", "wmv1", ["-c:v", "wmv1"]],
  ["wmv2.asf", "wmv2", ["-c:v", "wmv2"]],
  ["msmpeg4v2.avi", "msmpeg4v2", ["-c:v", "msmpeg4v2"]],
  ["msmpeg4v3.avi", "msmpeg4v3", ["-c:v", "msmpeg4"]],
  ["prores.mov", "prores", ["-c:v", "prores_ks"]],
  ["dnxhd.mov", "dnxhd", ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p"]],
  ["dv.mov", "dvvideo", ["-c:v", "dvvideo", "-s", "720x576", "-pix_fmt", "yuv420p"]],
  ["cineform.mov", "cfhd", ["-c:v", "cfhd", "-pix_fmt", "yuv422p10"]],
  ["ffv1.mkv", "ffv1", ["-c:v", "ffv1"]],
  ["animation.mov", "qtrle", ["-c:v", "qtrle"]],
  ["png.mov", "png", ["-c:v", "png"]],
  ["moving.gif", "gif", []],
  ["moving.png", "apng", ["-f", "apng", "-plays", "0"]],
  ["raw.dv", "dvvideo", ["-s", "720x576", "-pix_fmt", "yuv420p"]],
  ["raw.avi", "rawvideo", ["-c:v", "rawvideo", "-pix_fmt", "yuv420p"]],
];

/** One per family of decoders and containers. */
const SAMPLED_VIDEO = [
  ...["h264.mp4", "hevc.mp4", "av1.mp4", "vp9.webm", "mpeg4.avi", "mpeg2.ts", "mjpeg.avi", "theora.ogv"],
  ...["wmv2.asf", "prores.mov", "dv.mov", "animation.mov", "moving.gif", "moving.png"],
];

test.each(sampleOf(VIDEO, SAMPLED_VIDEO))("%s: a video in %s is rendered completely", async (name, codec, encode) => {
  await runTestFfmpeg([...PICTURE, ...encode, file(name)]);
  expect((await probe(tools, file(name))).video?.codec).toBe(codec);
  const [output] = await renderClip(file(`${name}-out`), { source: file(name), watermark: "@" });
  expect(Math.abs((await shownFrames(output!.path)).length - 10)).toBeLessThanOrEqual(1);
});

test.each([
  ["moving.webp", ["-c:v", "libwebp_anim"], "animated WebP"],
  ["raw.h264", H264, "raw H.264"],
  ["frames.y4m", ["-pix_fmt", "yuv420p"], "YUV4MPEG"],
])("%s is rejected by the name of its format", async (name, encode, called) => {
  await runTestFfmpeg([...PICTURE, ...encode, file(name)]);
  const message = `This format is not supported: ${called}. Convert it to MP4 first.`;
  await expect(probe(tools, file(name))).rejects.toMatchObject({ code: "unsupported_codec", message });
});

test.for(["vvc.mp4", "vvc.ts"])("H.266 is rejected by name in %s", async (name, context) => {
  const isGuessed = name === "vvc.ts" && tools.version.startsWith("5.");
  context.skip(isGuessed, "ffmpeg 5.1 does not know the stream's type, and finds the H.264 that this file really has.");
  await runTestFfmpeg([...PICTURE, ...H264, file("plain.mp4")]);
  await renameBoxes(file("plain.mp4"), file("vvc.mp4"), [
    ["avc1", "vvc1"],
    ["avcC", "vvcC"],
  ]);
  await runTestFfmpeg([...PICTURE, ...H264, file("plain.ts")]);
  await writeFile(file("vvc.ts"), renameTransportStream(await readFile(file("plain.ts")), 0x1b, 0x33));
  const message = "This format is not supported: H.266 (VVC). Convert it to H.264 first.";
  await expect(probe(tools, file(name))).rejects.toMatchObject({ code: "unsupported_codec", message });
});

test.each(["gif", "png", "webp"])("a still %s is not a video", async (kind) => {
  await runTestFfmpeg([...PICTURE, "-frames:v", "1", file(`still.${kind}`)]);
  await expect(probe(tools, file(`still.${kind}`))).rejects.toMatchObject({
    code: "not_a_video",
    message: "This file is not a video.",
  });
});

const AUDIO: [name: string, codec: string, encode: string[]][] = [
  ["aac.m4a", "aac", ["-c:a", "aac"]],
  ["mp3.mp3", "mp3", ["-c:a", "libmp3lame"]],
  ["mp2.mkv", "mp2", ["-c:a", "mp2"]],
  ["opus.ogg", "opus", ["-c:a", "libopus"]],
  ["vorbis.ogg", "vorbis", ["-c:a", "libvorbis"]],
  ["flac.flac", "flac", ["-c:a", "flac"]],
  ["alac.m4a", "alac", ["-c:a", "alac"]],
  ["ac3.ac3", "ac3", ["-c:a", "ac3"]],
  ["eac3.mkv", "eac3", ["-c:a", "eac3"]],
  ["dts.mkv", "dts", ["-c:a", "dca", "-strict", "-2"]],
  ["amr.amr", "amr_nb", ["-c:a", "libopencore_amrnb", "-ar", "8000", "-ac", "1"]],
  ["wmav1.asf", "wmav1", ["-c:a", "wmav1"]],
  ["wmav2.asf", "wmav2", ["-c:a", "wmav2"]],
  ["adpcm-ms.wav", "adpcm_ms", ["-c:a", "adpcm_ms"]],
  ["adpcm-ima.wav", "adpcm_ima_wav", ["-c:a", "adpcm_ima_wav"]],
  ["adpcm-qt.mov", "adpcm_ima_qt", ["-c:a", "adpcm_ima_qt"]],
  ["alaw.wav", "pcm_alaw", ["-c:a", "pcm_alaw"]],
  ["pcm16.wav", "pcm_s16le", ["-c:a", "pcm_s16le"]],
  ["pcm24.aiff", "pcm_s24be", ["-c:a", "pcm_s24be"]],
  ["float.caf", "pcm_f32le", ["-c:a", "pcm_f32le"]],
];

/** Some distributions lack some encoders. */
const encoders = Buffer.from((await readTestFfmpeg(["-hide_banner", "-encoders"])).stdout).toString();
const canEncode = ([, , encode]: (typeof AUDIO)[number]) => encoders.includes(` ${encode[1]} `);

const SAMPLED_AUDIO = [
  ...["aac.m4a", "mp3.mp3", "opus.ogg", "flac.flac", "ac3.ac3", "wmav2.asf"],
  ...["pcm16.wav", "pcm24.aiff"],
];

test.each(sampleOf(AUDIO, SAMPLED_AUDIO).filter(canEncode))(
  "%s: music in %s is audible",
  async (name, codec, encode) => {
    await runTestFfmpeg([...SOUND, ...encode, file(name)]);
    expect((await probe(tools, file(name), { use: "music" })).audio?.codec).toBe(codec);
    if (!(await readdir(folder)).includes("silent.mp4")) await runTestFfmpeg([...PICTURE, ...H264, file("silent.mp4")]);
    const [output] = await renderClip(file(`${name}-out`), { source: file("silent.mp4"), tracks: [file(name)] });
    expect(await toneLevelDb(output!.path, 1_000, { fromSeconds: 0.1, toSeconds: 0.3 })).toBeGreaterThan(-18);
  },
);
