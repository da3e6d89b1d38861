/** CPU of finding faces in a video, compared with encoding it in the format. */
import path from "node:path";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import { detectFaces } from "#media/faces/detect-faces.ts";
import { planFrames } from "#media/plan/plan-frames.ts";
import { probe } from "#media/probe/probe.ts";
import { makeFaceClip } from "#tests/support/media/make-face.ts";
import { runTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { costOf } from "../support/cpu.ts";
import { describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const LENGTHS = [5, 15];
const SETTINGS = streamSettings({ ...JOB_DEFAULTS, format: "9:16", fit_focus: "face" });

await using folder = await openBenchFolder();
const tools = await testTools();
const signal = new AbortController().signal;
console.log(describeMachine());
for (const seconds of LENGTHS) {
  const walk = Array.from({ length: seconds * 10 }, (_, i) => ({
    middle: 0.5 + 0.4 * Math.sin(i / 30),
    ground: "#7f93b0",
  }));
  const small = folder.file(`small-${seconds}.mp4`);
  await makeFaceClip(small, walk);
  const file = folder.file(`${seconds}.mp4`);
  // With grain, the clip has as many bits as a recording.
  const filters = ["-vf", "scale=1920:1080,fps=30,noise=alls=4:allf=t", "-crf", "23", "-preset", "veryfast"];
  await runTestFfmpeg(["-i", small, ...filters, file]);
  const video = { path: file, probe: await probe(tools, file), revision: file };
  const { frameRate: rate } = planFrames(video.probe, SETTINGS);
  const window = { startSeconds: 0, endSeconds: video.probe.durationSeconds };
  const find = () => detectFaces(tools, video, { window, rate, folder: path.dirname(file), signal });
  const faces = (await find())!;
  const analysis = await medianCost(find);
  let run = 0;
  const encode = (isFollowed: boolean) =>
    renderClip(folder.file(`run-${seconds}-${isFollowed}-${run++}`), {
      ...{ source: file, settings: SETTINGS },
      cut: (request) => (isFollowed ? { ...request, sources: [{ ...request.sources[0], faces }] } : request),
    });
  const [followed, fixed] = [await medianCost(() => encode(true)), await medianCost(() => encode(false))];
  const facts = [`analysis ${analysis.toFixed(2)}`, `following ${followed.toFixed(2)}`, `fixed ${fixed.toFixed(2)}`];
  console.log(`${seconds} s of 1920x1080 at 30, ${faces.seen.length} looks, CPU s: ${facts.join(", ")}`);
}

async function medianCost(run: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let i = 0; i < RUNS; i++) costs.push((await costOf(run)).cpuSeconds);
  return medianOf(costs);
}
