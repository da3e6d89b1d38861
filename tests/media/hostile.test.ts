/** Each file is rendered or rejected quickly with one clear sentence, and no process remains. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { flipBits, noise } from "#tests/support/media/faulty/damage.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { runTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { isFullRun, sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
await testTools();

const SMALL = { width: 64, height: 64, seconds: 0.5 };
/** For a busy machine. On an idle one, a rejection takes 0.1 s and a render 1 s. */
const SECONDS_AT_MOST = { rejected: 10, rendered: 30 };

type Outcome = { name: string; code: string; sentence: string; seconds: number };

async function outcomeOf(name: string): Promise<Outcome> {
  const started = performance.now();
  const outcome = (code: string, sentence: string) => ({
    ...{ name, code, sentence },
    seconds: (performance.now() - started) / 1_000,
  });
  try {
    await renderClip(file(`${name}-out`), { source: file(name), watermark: "@" });
    return outcome("rendered", "");
  } catch (error) {
    if (error instanceof ClipmillError) return outcome(error.code, error.message);
    return outcome("CRASH", String(error));
  }
}

const KNOWN_CODES = new Set([
  ...["rendered", "not_a_video", "unsupported_codec", "damaged", "unrenderable", "too_large", "render_failed"],
]);

function unclear(outcomes: Outcome[]): Outcome[] {
  const isClear = ({ sentence }: Outcome) => /^[A-Z][^/\\{}\n]{10,140}\.$/.test(sentence);
  return outcomes.filter(
    (outcome) =>
      !KNOWN_CODES.has(outcome.code) ||
      (outcome.code !== "rendered" && !isClear(outcome)) ||
      outcome.seconds > SECONDS_AT_MOST[outcome.code === "rendered" ? "rendered" : "rejected"],
  );
}

async function tryAll(files: { name: string; bytes: Uint8Array | string }[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const rest = files.values();
  const lane = async () => {
    for (const { name, bytes } of rest) {
      await writeFile(file(name), bytes);
      outcomes.push(await outcomeOf(name));
    }
  };
  await Promise.all([lane(), lane()]);
  return outcomes;
}

/** `npm run test:media` tries more of each damage. */
const SEEDS = isFullRun
  ? { header: [1, 2, 3], index: [4, 5], middle: [6, 7], lengths: [0.001, 0.02, 0.3, 0.7, 0.99] }
  : { header: [1], index: [4], middle: [6], lengths: [0.02, 0.7] };
const CONTAINERS = ["mp4", "mkv", "webm", "ts", "avi", "mov", "flv"];
const SAMPLED = ["mp4", "mkv", "ts", "avi", "flv"];

test.each(sampleOf(CONTAINERS, SAMPLED))("damaged %s files", async (container) => {
  const isWebm = container === "webm";
  const codecs = isWebm ? ({ videoCodec: "libvpx-vp9", audioCodec: "libopus" } as const) : {};
  const options = container === "flv" ? { outputOptions: ["-ar", "44100"] } : {};
  await makeClip(file(`whole.${container}`), { ...SMALL, ...codecs, ...options });
  const whole = await readFile(file(`whole.${container}`));
  const files = [
    ...SEEDS.header.map((seed) => ({
      name: `header-${seed}.${container}`,
      bytes: flipBits(whole, { seed, flips: 12, to: 0.04 }),
    })),
    ...SEEDS.index.map((seed) => ({
      name: `index-${seed}.${container}`,
      bytes: flipBits(whole, { seed, flips: 12, from: 0.85 }),
    })),
    ...SEEDS.middle.map((seed) => ({
      name: `middle-${seed}.${container}`,
      bytes: flipBits(whole, { seed, flips: 200, from: 0.1 }),
    })),
    ...SEEDS.lengths.map((share) => ({
      name: `until-${share}.${container}`,
      bytes: whole.subarray(0, Math.ceil(whole.length * share)),
    })),
  ];
  const outcomes = await tryAll(files);
  expect(unclear(outcomes)).toEqual([]);
  expect(await processesNaming(folder)).toEqual([]);
});

/** Formats that can refer to other files. */
const lists = (target: string) => ({
  hls: `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10.0,\n${target}\n#EXT-X-ENDLIST\n`,
  ffconcat: `ffconcat version 1.0\nfile '${target}'\nduration 10\n`,
  dash: `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  sdp: `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
  edl: `# mpv EDL v0\n${target},0,10\n`,
  asx: `<asx version="3.0"><entry><ref href="${target}"/></entry></asx>`,
  rtsp: `[Reference]\nRef1=${target}\n`,
  svg: `<svg xmlns="http://www.w3.org/2000/svg"><image href="${target}"/></svg>`,
  subtitles: `1\n00:00:00,000 --> 00:00:01,000\n${target}\n`,
});

test("playlists and descriptions named like videos are not followed", async () => {
  const secret = file("secret.mp4");
  await makeClip(secret, SMALL);
  const url = "http://127.0.0.1:9/secret.mp4";
  const files = [
    secret,
    "/etc/passwd",
    "file:///etc/passwd",
    url,
    `concat:${secret}`,
    `subfile,,start,0,end,100,,:${secret}`,
  ].flatMap((target, i) => Object.entries(lists(target)).map(([kind, bytes]) => ({ name: `${kind}-${i}.mp4`, bytes })));
  const outcomes = await tryAll([
    ...files,
    { name: "hls.mkv", bytes: lists(secret).hls },
    { name: "list.ts", bytes: lists(secret).ffconcat },
  ]);
  expect(outcomes.filter(({ code }) => code !== "not_a_video")).toEqual([]);
});

test("a movie that refers to media in another file reads nothing from it", async () => {
  // a QuickTime data reference box can hold an alias of another file
  await makeClip(file("outer.mov"), { ...SMALL, toneHz: null });
  const bytes = await readFile(file("outer.mov"));
  const at = bytes.indexOf("url ");
  // "url " with flag 1 refers to this file, an alias without the flag to another
  bytes.write("alis", at);
  bytes.writeUInt32BE(0, at + 4);
  const outcomes = await tryAll([{ name: "alias.mov", bytes }]);
  expect(unclear(outcomes)).toEqual([]);
});

function box(name: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(name, 4);
  return Buffer.concat([head, body]);
}

test("files that declare or contain too much are rejected quickly", async () => {
  await makeClip(file("small.mp4"), { ...SMALL, toneHz: null });
  const small = await readFile(file("small.mp4"));
  const patched = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(small);
    change(bytes);
    return bytes;
  };
  const brand = box("ftyp", Buffer.from("isom\x00\x00\x00\x01isom"));
  const clip = ["-f", "lavfi", "-i", "color=gray:s=16x16:r=5:d=0.4", "-f", "lavfi", "-i", "aevalsrc=0:s=8000:d=0.2"];
  const manyStreams = Array.from({ length: 120 }, () => ["-map", "1:a"]).flat();
  await runTestFfmpeg([
    ...clip,
    "-map",
    "0:v",
    ...manyStreams,
    "-c:v",
    "mpeg4",
    "-c:a",
    "pcm_u8",
    "-f",
    "matroska",
    file("many.mkv"),
  ]);
  await runTestFfmpeg([
    ...clip,
    "-map",
    "0:v",
    ...manyStreams,
    "-c:v",
    "mpeg4",
    "-c:a",
    "aac",
    "-f",
    "mp4",
    file("many.mp4"),
  ]);
  await runTestFfmpeg([
    "-f",
    "lavfi",
    "-i",
    "color=black:s=16384x8192:r=1:d=1",
    "-c:v",
    "mjpeg",
    "-q:v",
    "31",
    "-f",
    "avi",
    file("huge.avi"),
  ]);
  const outcomes = await tryAll([
    // the sample entry's width and height
    { name: "size.mp4", bytes: patched((bytes) => bytes.writeUInt32BE(0x7fff7fff, bytes.indexOf("avc1") + 28)) },
    { name: "long.mp4", bytes: patched(makeLong) },
    { name: "many-streams.mkv", bytes: await readFile(file("many.mkv")) },
    { name: "many-streams.mp4", bytes: await readFile(file("many.mp4")) },
    { name: "huge-frames.avi", bytes: await readFile(file("huge.avi")) },
    {
      name: "boxes.mp4",
      bytes: Buffer.concat([
        brand,
        ...Array.from({ length: 10_000 }, () => box("free")),
        small.subarray(small.indexOf("moov") - 4),
      ]),
    },
    {
      name: "nested.mp4",
      bytes: Buffer.concat([
        brand,
        Array.from({ length: 2_000 }).reduce<Buffer>((inner) => box("moov", inner), Buffer.alloc(0)),
      ]),
    },
    {
      name: "box-beyond.mp4",
      bytes: Buffer.concat([brand, Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from("moov")]),
    },
    { name: "empty.mp4", bytes: "" },
    { name: "zeros.mp4", bytes: new Uint8Array(500_000) },
    { name: "noise.mp4", bytes: noise(300_000, 7) },
    {
      name: "noise.ts",
      bytes: Buffer.concat(
        Array.from({ length: 1_000 }, (_, i) => Buffer.concat([Buffer.from([0x47]), noise(187, i)])),
      ),
    },
    { name: "noise.mkv", bytes: Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), noise(100_000, 8)]) },
    { name: "archive.mp4", bytes: Buffer.concat([Buffer.from("PK\x03\x04"), new Uint8Array(100_000)]) },
    { name: "bomb.mp4", bytes: gifOf(65_535, 65_535) },
    { name: "script.mp4", bytes: "#!/bin/sh\ntouch /tmp/harm\n" },
  ]);
  expect(unclear(outcomes)).toEqual([]);
  const codes = Object.fromEntries(outcomes.map(({ name, code }) => [name, code]));
  expect(codes).toMatchObject({
    "long.mp4": "too_large",
    "huge-frames.avi": "too_large",
    "many-streams.mkv": "too_large",
    "many-streams.mp4": "too_large",
  });
  expect(await processesNaming(folder)).toEqual([]);
});

/** Writes 1,000 hours to all headers and to the sample durations. */
function makeLong(bytes: Buffer): void {
  const scale = bytes.readUInt32BE(bytes.indexOf("mvhd") + 16);
  bytes.writeUInt32BE(scale * 3_600_000, bytes.indexOf("mvhd") + 20);
  bytes.writeUInt32BE(scale * 3_600_000, bytes.indexOf("tkhd") + 24);
  const mediaScale = 1_000;
  bytes.writeUInt32BE(mediaScale, bytes.indexOf("mdhd") + 16);
  bytes.writeUInt32BE(mediaScale * 3_600_000, bytes.indexOf("mdhd") + 20);
  bytes.writeUInt32BE((mediaScale * 3_600_000) / 15, bytes.indexOf("stts") + 16);
  // removes the edit list, which also states the length
  bytes.write("free", bytes.indexOf("edts"));
}

function gifOf(width: number, height: number): Buffer {
  const bytes = Buffer.from("GIF89a\0\0\0\0\0\0\0,\0\0\0\0\0\0\0\0\0\x02\x02D\x01\0;", "latin1");
  for (const at of [6, 18]) {
    bytes.writeUInt16LE(width, at);
    bytes.writeUInt16LE(height, at + 2);
  }
  return bytes;
}

test("attachments and subtitles in a video have no effect", async () => {
  await writeFile(file("words.srt"), "1\n00:00:00,000 --> 00:00:00,500\n{\\an8}Hello\n");
  await makeTone(file("font.wav"), { frequencyHz: 500, seconds: 0.1 });
  await makeClip(file("plain.mkv"), SMALL);
  await runTestFfmpeg([
    ...["-i", file("plain.mkv"), "-i", file("words.srt"), "-map", "0", "-map", "1", "-c", "copy", "-c:s", "srt"],
    ...["-attach", file("font.wav"), "-metadata:s:t", "mimetype=application/octet-stream", file("attached.mkv")],
  ]);
  expect((await outcomeOf("attached.mkv")).code).toBe("rendered");
});

test.each(sampleOf(["wav", "mp3", "flac", "m4a", "ogg"], ["mp3", "m4a", "ogg"]))(
  "damaged %s music",
  async (container) => {
    await makeClip(file("quiet.mp4"), { ...SMALL, toneHz: null });
    await makeTone(file(`whole.${container}`), { frequencyHz: 500, seconds: 0.3 });
    const whole = await readFile(file(`whole.${container}`));
    const damaged = [
      ...[1, 2].map((seed) => flipBits(whole, { seed, flips: 8, to: 0.05 })),
      flipBits(whole, { seed: 3, flips: 60, from: 0.1 }),
      ...[0.01, 0.6].map((share) => whole.subarray(0, Math.ceil(whole.length * share))),
    ];
    const outcomes: Outcome[] = [];
    for (const [i, bytes] of damaged.entries()) {
      const name = `music-${i}.${container}`;
      await writeFile(file(name), bytes);
      const started = performance.now();
      const result = await renderClip(file(`${name}-out`), { source: file("quiet.mp4"), tracks: [file(name)] }).then(
        () => ({ code: "rendered", sentence: "" }),
        (error: unknown) => ({
          code: error instanceof ClipmillError ? error.code : "CRASH",
          sentence: (error as Error).message,
        }),
      );
      outcomes.push({ name, ...result, seconds: (performance.now() - started) / 1_000 });
    }
    expect(unclear(outcomes).filter(({ code }) => code !== "not_audio")).toEqual([]);
  },
);
