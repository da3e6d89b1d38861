import path from "node:path";
import pino from "pino";
import { expect, test } from "vitest";
import { describeFfmpegRisks } from "#contract/settings/ffmpeg-vulnerabilities.ts";
import { missingLimits } from "#media/launch/isolation.ts";
import { makeGpuFfmpeg } from "#tests/support/media/faulty/gpu-ffmpeg.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { readConfig } from "../config.ts";
import { prepareMediaTools } from "./open-machine.ts";

test("logs once why the configured encoder is not used, and uses software", async () => {
  const folder = await makeScratchFolder();
  const gpu = await makeGpuFfmpeg(folder);
  await gpu.behave("failsAtOnce");
  const lines: unknown[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const config = readConfig({ DATA_DIR: folder, FFMPEG_PATH: gpu.file, ENCODER: "h264_nvenc" });
  const { encoder } = await prepareMediaTools(config, log);
  expect(encoder!.state()).toMatchObject({ inUse: "software", wanted: "h264_nvenc" });
  const reason = expect.stringContaining("Cannot load libcuda.so.1");
  expect(lines).toEqual([expect.objectContaining({ level: 40, wanted: "h264_nvenc", reason })]);
});

test("logs nothing about a sound ffmpeg above debug level, and puts its risks into sentences", async () => {
  const lines: { level: number; msg: string; version?: string; origin?: string }[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]);
  const config = readConfig({ DATA_DIR: path.join(await makeScratchFolder(), "data") });
  const { version, origin, notices } = await prepareMediaTools(config, pino({ level: "debug" }, { write }));
  expect(lines).toContainEqual(expect.objectContaining({ msg: "selected ffmpeg", version, origin }));
  expect(lines.filter(({ level }) => level > 20)).toEqual([]);
  const risks = describeFfmpegRisks({ ffmpeg: version, origin, missingLimits: [...missingLimits()] });
  expect(notices.slice(notices.length - risks.length)).toEqual(risks);
  expect(JSON.stringify(lines)).not.toContain("CVE");
});
