import { expect, test } from "vitest";
import { openEncoder } from "./encoder-in-use.ts";

async function open(...results: (string | null)[]) {
  const rejections: string[] = [];
  const check = () => Promise.resolve(results.shift() ?? null);
  const encoder = await openEncoder("h264_qsv", { onRejected: (reason) => rejections.push(reason), check });
  return { encoder, rejections };
}

test("an encoder that fails its check is replaced by software, and the reason is reported once", async () => {
  const { encoder, rejections } = await open("No device.");
  expect(encoder.state()).toEqual({ inUse: "software", wanted: "h264_qsv", refusal: "No device." });
  await encoder.noteFailure("No device, again.");
  expect(rejections).toEqual(["No device."]);
});

test("after a failure, the encoder stays if it passes its check, and is replaced if not", async () => {
  const { encoder, rejections } = await open(null, null, "Device lost.");
  await encoder.noteFailure("Too many sessions.");
  expect(encoder.state()).toEqual({ inUse: "h264_qsv", wanted: "h264_qsv", refusal: null });
  encoder.noteSuccess();
  await Promise.all([encoder.noteFailure("Device lost."), encoder.noteFailure("Device lost.")]);
  expect(encoder.state()).toMatchObject({ inUse: "software", refusal: "Device lost." });
  expect(rejections).toEqual(["Device lost."]);
});

test("an encoder that fails at three videos in a row is replaced, although it passes its check", async () => {
  const { encoder } = await open();
  for (const outcome of ["fails", "fails", "works", "fails", "fails"]) {
    if (outcome === "works") encoder.noteSuccess();
    else await encoder.noteFailure("Out of memory.");
  }
  expect(encoder.state().inUse).toBe("h264_qsv");
  await encoder.noteFailure("Out of memory.");
  expect(encoder.state()).toMatchObject({
    inUse: "software",
    refusal: "It failed on 3 videos in a row, most recently: Out of memory.",
  });
});

test("software needs no check", async () => {
  const encoder = await openEncoder("software", { onRejected: () => {}, check: () => Promise.reject(new Error()) });
  expect(encoder.state()).toEqual({ inUse: "software", wanted: "software", refusal: null });
});
