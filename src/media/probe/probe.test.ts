import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { runTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "./probe.ts";
import { requireAudio, requireVideo } from "../render/required-streams.ts";

const folder = await makeScratchFolder();
const tools = await testTools();
const file = (name: string) => path.join(folder, name);
const clip = file("clip.mp4");
await makeClip(clip, { seconds: 1 });

test("describes a video's streams", async () => {
  const found = await probe(tools, clip);
  expect(found.durationSeconds).toBeCloseTo(1, 2);
  expect(found.video).toMatchObject({ width: 320, height: 240, rotation: 0, codec: "h264", framesPerSecond: 30 });
  expect(found.audio).toMatchObject({ codec: "aac", sampleRate: 48_000, channels: 2 });
});

test("returns the displayed size: after rotation, with square pixels", async () => {
  await makeClip(file("turned.mp4"), { seconds: 0.2, rotation: 90, toneHz: null });
  await makeClip(file("wide.mp4"), { seconds: 0.2, outputOptions: ["-vf", "setsar=4/3"], toneHz: null });
  expect((await probe(tools, file("turned.mp4"))).video).toMatchObject({ width: 240, height: 320, rotation: 90 });
  expect((await probe(tools, file("wide.mp4"))).video).toMatchObject({
    width: 427,
    height: 240,
    hasSquarePixels: false,
  });
});

test("measures sound that is shorter than its picture, from its first sample on", async () => {
  await makeTone(file("short.wav"), { frequencyHz: 440, seconds: 0.4 });
  const inputs = ["-i", clip, "-itsoffset", "0.3", "-i", file("short.wav")];
  await runTestFfmpeg([...inputs, "-map", "0:v", "-map", "1:a", "-c", "copy", file("long-picture.mov")]);
  for (const use of ["video", "music"] as const) {
    const found = await probe(tools, file("long-picture.mov"), { use });
    expect(found.durationSeconds).toBeCloseTo(1, 2);
    expect(found.audio!.durationSeconds).toBeCloseTo(0.4, 2);
  }
  expect((await probe(tools, file("short.wav"), { use: "music" })).audio!.durationSeconds).toBeCloseTo(0.4, 2);
});

test("finds the length of a Matroska file whose header has none", async () => {
  await makeClip(file("live.webm"), {
    seconds: 1,
    videoCodec: "libvpx-vp9",
    audioCodec: "libopus",
    outputOptions: ["-live", "1", "-f", "webm"],
  });
  expect((await probe(tools, file("live.webm"))).durationSeconds).toBeCloseTo(1, 1);
});

test("reads a transport stream", async () => {
  await makeClip(file("clip.ts"), { seconds: 1 });
  expect((await probe(tools, file("clip.ts"))).video).toMatchObject({ width: 320, height: 240, codec: "h264" });
});

test("reads a transport stream whose programs share a picture", async () => {
  await runTestFfmpeg([
    ...["-i", clip, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy"],
    ...["-program", "title=A:st=0:st=1", "-program", "title=B:st=0:st=2", file("programs.ts")],
  ]);
  const found = await probe(tools, file("programs.ts"));
  expect(found.durationSeconds).toBeCloseTo(1, 1);
  expect(found).toMatchObject({ video: { width: 320, codec: "h264" }, audio: { index: 1, channels: 2 } });
});

test("reads a video whose tags mention too many streams", async () => {
  await runTestFfmpeg(["-i", clip, "-c", "copy", "-metadata", "comment=see -max_streams", file("tagged.mp4")]);
  expect((await probe(tools, file("tagged.mp4"))).video).not.toBeNull();
});

test("does not mistake cover art for a video", async () => {
  await runTestFfmpeg(["-i", clip, "-frames:v", "1", "-update", "1", file("cover.png")]);
  await makeTone(file("tone.m4a"), { frequencyHz: 440, seconds: 1 });
  const inputs = ["-i", file("tone.m4a"), "-i", file("cover.png")];
  await runTestFfmpeg([
    ...[...inputs, "-map", "0:a", "-map", "1:v", "-c:a", "copy", "-c:v", "png"],
    ...["-disposition:v", "attached_pic", file("covered.m4a")],
  ]);
  const found = await probe(tools, file("covered.m4a"));
  expect(found.video).toBeNull();
  expect(requireAudio(found).codec).toBe("aac");
  expect(() => requireVideo(found)).toThrow(expect.objectContaining({ code: "not_a_video" }));
});

test("finds the picture in an Ogg file, and none in a sound", async () => {
  await makeTone(file("tone.mp3"), { frequencyHz: 440, seconds: 1 });
  await runTestFfmpeg(["-i", clip, "-t", "0.2", "-c:v", "libvpx", "-c:a", "libvorbis", file("clip.ogg")]);
  await runTestFfmpeg(["-i", clip, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy", file("two-sounds.mp4")]);
  const hasPicture = async (name: string) => {
    const { video, audio, durationSeconds } = await probe(tools, file(name));
    expect(audio).not.toBeNull();
    expect(durationSeconds).toBeGreaterThan(0.15);
    return video !== null;
  };
  expect(await hasPicture("clip.mp4")).toBe(true);
  expect(await hasPicture("two-sounds.mp4")).toBe(true);
  expect(await hasPicture("tone.mp3")).toBe(false);
  expect(await hasPicture("clip.ogg")).toBe(true);
});

test("rejects a silent video where music is needed", async () => {
  await makeClip(file("silent.mp4"), { seconds: 0.2, toneHz: null });
  const found = await probe(tools, file("silent.mp4"));
  expect(() => requireAudio(found)).toThrow(expect.objectContaining({ code: "not_audio" }));
});

test("rejects pictures, text and empty files named like videos", async () => {
  await runTestFfmpeg(["-i", clip, "-frames:v", "1", "-update", "1", file("picture.png")]);
  await runTestFfmpeg(["-i", clip, "-frames:v", "1", "-update", "1", file("picture.jpg")]);
  await writeFile(file("picture.mp4"), await readFile(file("picture.png")));
  await writeFile(file("photo.mp4"), await readFile(file("picture.jpg")));
  await writeFile(file("text.mp4"), "Not a video at all.\n");
  await writeFile(file("empty.mp4"), "");
  for (const name of ["picture.mp4", "photo.mp4", "text.mp4", "empty.mp4"]) {
    const rejection = { code: "not_a_video", message: "This file is not a video." };
    await expect(probe(tools, file(name))).rejects.toMatchObject(rejection);
  }
});

test("rejects files that are not music with a separate message", async () => {
  await writeFile(file("notes.mp3"), "Not music at all.\n");
  await expect(probe(tools, file("notes.mp3"), { use: "music" })).rejects.toMatchObject({
    code: "not_audio",
    message: "This file has no sound that can be used as music.",
  });
});

test("does not follow a playlist or an ffconcat file named like a video", async () => {
  await writeFile(file("playlist.mp4"), `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${clip}\n#EXT-X-ENDLIST\n`);
  await writeFile(file("list.mp4"), `ffconcat version 1.0\nfile '${clip}'\n`);
  for (const name of ["playlist.mp4", "list.mp4"]) {
    await expect(probe(tools, file(name))).rejects.toMatchObject({ code: "not_a_video" });
  }
});

test("rejects a truncated video as damaged", async () => {
  await writeFile(file("truncated.mp4"), (await readFile(clip)).subarray(0, 8_000));
  await expect(probe(tools, file("truncated.mp4"))).rejects.toMatchObject({
    code: "damaged",
    message: "The video file is damaged or incomplete.",
  });
});

test("stops when aborted", async () => {
  await expect(probe(tools, clip, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
});
