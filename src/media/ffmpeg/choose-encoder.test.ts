import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { chooseEncoder } from "./choose-encoder.ts";
import { ENCODERS, encoderArguments } from "../plan/arguments/encoder-arguments.ts";

const folder = await makeScratchFolder();

it("chooses a hardware encoder only if it encodes a frame, and returns the reason otherwise", async () => {
  const { ffmpeg } = await testTools();
  for (const wanted of ENCODERS.filter((encoder) => encoder !== "software")) {
    const { encoder, refusal } = await chooseEncoder(ffmpeg, wanted);
    expect(encoder).toBe(refusal === null ? wanted : "software");
    expect(refusal).not.toBe("");
  }
});

it("chooses the encoder that works", async () => {
  const program = path.join(folder, "ffmpeg");
  await writeFile(program, "#!/bin/sh\nexit 0\n");
  await chmod(program, 0o755);
  expect(await chooseEncoder(program, "h264_nvenc")).toEqual({ encoder: "h264_nvenc", refusal: null });
});

it("sets the quality with each encoder's own options", () => {
  expect(encoderArguments("standard", 1, "software")).toContain("libx264");
  expect(encoderArguments("high", 1, "h264_nvenc").join(" ")).toContain("-cq 19");
  expect(encoderArguments("draft", 1, "h264_vaapi").join(" ")).toContain("-qp 27");
});
