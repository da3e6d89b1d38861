/** Measures a circle in single frames, a quarter of the formats' size. */
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FORMAT_SIZES } from "#contract/jobs/outputs/formats.ts";
import { joinClips } from "#tests/support/media/join-clips.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { readTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { probe } from "../probe/probe.ts";
import type { Probe } from "../probe/probe-report.ts";
import { stillArguments } from "./arguments/picture-arguments.ts";
import { planFrames } from "./plan-frames.ts";
import type { Framing } from "./render-plan.ts";

const folder = await makeScratchFolder();
const GRAY = 96;
/** `turned` is stored lying. */
const SOURCES = {
  landscape: { width: 640, height: 360, aspect: 1, rotation: 0 },
  upright: { width: 360, height: 640, aspect: 1, rotation: 0 },
  square: { width: 480, height: 480, aspect: 1, rotation: 0 },
  turned: { width: 640, height: 360, aspect: 1, rotation: 90 },
  anamorphic: { width: 360, height: 480, aspect: 2, rotation: 0 },
  odd: { width: 641, height: 359, aspect: 1, rotation: 0 },
} as const;
type SourceName = keyof typeof SOURCES;
const probes = new Map<SourceName, Probe>();
const fileOf = (name: SourceName) => path.join(folder, `${name}.mp4`);

/** White on gray with a soft edge, as wide as 0.4 of the picture's shorter side, as displayed. */
function circle({ width, height, aspect }: (typeof SOURCES)[SourceName]): string {
  const radius = 0.2 * Math.min(width * aspect, height);
  const distance = `hypot((X-${(width - 1) / 2})*${aspect},Y-${(height - 1) / 2})`;
  return `color=gray:s=${width}x${height}:r=10,format=gray,geq=lum='${GRAY}+${255 - GRAY}*clip(${radius}-${distance}+0.5,0,1)'`;
}

beforeAll(async () => {
  for (const [name, source] of Object.entries(SOURCES) as [SourceName, (typeof SOURCES)[SourceName]][]) {
    const odd = source.width % 2 === 1 ? ["-pix_fmt", "yuv444p"] : [];
    await makeClip(fileOf(name), {
      picture: `${circle(source)},setsar=${source.aspect}`,
      ...{ seconds: 0.2, toneHz: null, rotation: source.rotation, outputOptions: [...odd, "-crf", "4"] },
    });
    probes.set(name, await probe(await testTools(), fileOf(name)));
  }
});

type Size = { width: number; height: number };
type Pixels = (x: number, y: number) => number;

/** In gray. */
async function renderFrames(file: string, found: Probe, size: Size, framing: Framing, frames = 1): Promise<Pixels[]> {
  const { hasZscale = false } = await testTools();
  const plan = { ...planFrames(found), ...size, framing };
  const args = stillArguments(plan, {
    source: { path: file, probe: found },
    ...{ drawings: new Map(), hasZscale, startSeconds: 0, finish: "format=gray", frames },
    output: ["-r", "10", "-f", "rawvideo", "pipe:1"],
  });
  const { stdout } = await readTestFfmpeg(["-v", "error", ...args]);
  const bytes = size.width * size.height;
  expect(stdout.length).toBe(bytes * frames);
  return Array.from({ length: frames }, (_, i) => (x, y) => stdout[i * bytes + y * size.width + x]!);
}

/** Checks that the circle is as wide as high to 1 %, and within 3 % of the size that the fit implies. */
function circleProblems(at: Pixels, size: Size, shown: Size, fit: Framing["fit"]): string[] {
  const across = measure(size.width, (x) => at(x, size.height / 2));
  const down = measure(size.height, (y) => at(size.width / 2, y));
  const scale = (fit === "crop" ? Math.max : Math.min)(size.width / shown.width, size.height / shown.height);
  const expected = 0.4 * Math.min(shown.width, shown.height) * scale;
  const isRound = Math.abs(across / down - 1) < 0.01;
  const isLarge = Math.abs(across / expected - 1) < 0.03;
  return isRound && isLarge ? [] : [`${fit}: ${across.toFixed(1)} by ${down.toFixed(1)}, not ${expected.toFixed(1)}`];
}

/** The bright run through the middle, to a fraction of a pixel. */
function measure(length: number, at: (i: number) => number): number {
  const middle = at(Math.round(length / 2));
  let sum = 0;
  let ground = 0;
  let [from, to] = [Math.round(length / 2), Math.round(length / 2)];
  while (from > 0 && at(from) > GRAY + 12) from--;
  while (to < length - 1 && at(to) > GRAY + 12) to++;
  ground = (at(from) + at(to)) / 2;
  for (let i = from; i <= to; i++) sum += Math.max(0, at(i) - ground) / (middle - ground);
  return sum;
}

const CENTERED = { focusX: 0.5, focusY: 0.5 };
const quarter = ({ width, height }: { width: number; height: number }) => ({
  width: 2 * Math.round(width / 8),
  height: 2 * Math.round(height / 8),
});

describe.each(Object.keys(SOURCES) as SourceName[])("of a source that is %s", (name) => {
  test.each(Object.entries(FORMAT_SIZES))("a circle stays one in %s, whatever the fit", async (_, format) => {
    const size = quarter(format);
    const shown = probes.get(name)!.video!;
    const isSameShape = Math.abs(shown.width / shown.height / (size.width / size.height) - 1) < 0.01;
    const problems: string[] = [];
    for (const fit of ["crop", "blur", "pad"] as const) {
      const [at] = await renderFrames(fileOf(name), probes.get(name)!, size, { fit, ...CENTERED });
      problems.push(...circleProblems(at!, size, shown, fit));
      const corner = at!(1, 1);
      // The background is darker than the picture, and not black.
      const around = { crop: [GRAY - 6, GRAY + 6], blur: [40, GRAY - 8], pad: [0, 20] } as const;
      const [darkest, brightest] = around[isSameShape ? "crop" : fit];
      if (corner < darkest || corner > brightest) problems.push(`${fit}: a corner of ${corner}`);
    }
    expect(problems).toEqual([]);
  });
});

describe.each([
  { name: "size.mkv", parts: ["landscape", "upright"] as const },
  { name: "aspect.ts", parts: ["landscape", "anamorphic"] as const },
])("of a source that changes its $name", ({ name, parts }) => {
  test("every frame fills the output by its own shape", async () => {
    const file = path.join(folder, name);
    const clips = parts.map((part) => `${fileOf(part)}${path.extname(name)}`);
    for (const [i, part] of parts.entries()) {
      const { aspect } = SOURCES[part];
      const picture = `${circle(SOURCES[part])},setsar=${aspect}`;
      await makeClip(clips[i]!, { picture, seconds: 0.4, toneHz: null, outputOptions: ["-crf", "4"] });
    }
    await joinClips(file, clips);
    const found = await probe(await testTools(), file);
    const problems: string[] = [];
    for (const size of [quarter(FORMAT_SIZES["9:16"]), quarter(FORMAT_SIZES["16:9"])]) {
      for (const fit of ["crop", "blur", "pad"] as const) {
        const frames = await renderFrames(file, found, size, { fit, ...CENTERED }, 7);
        for (const [at, part] of [[frames[0]!, parts[0]] as const, [frames.at(-1)!, parts[1]] as const]) {
          const { width, height, aspect } = SOURCES[part];
          problems.push(...circleProblems(at, size, { width: width * aspect, height }, fit));
        }
      }
    }
    expect(problems).toEqual([]);
  });
});

test.each([
  { focusX: 0, focusY: 0.5, left: 0 },
  { focusX: 1, focusY: 0.5, left: 1 },
  { focusX: 0.25, focusY: 0, left: 0.25 },
])("a crop keeps what is at the focus $focusX", async ({ left, ...focus }) => {
  const file = path.join(folder, "ramp.mp4");
  // Brightness rises from left to right.
  const picture = "color=gray:s=640x360:r=10,format=gray,geq=lum=20+X*200/640";
  await makeClip(file, { picture, seconds: 0.2, toneHz: null, outputOptions: ["-crf", "4"] });
  const size = quarter(FORMAT_SIZES["9:16"]);
  const [at] = await renderFrames(file, await probe(await testTools(), file), size, { fit: "crop", ...focus });
  const kept = (360 * 9) / 16;
  const from = (640 - kept) * left;
  const expected = (x: number) => 20 + ((from + ((x + 0.5) / size.width) * kept) * 200) / 640;
  const errors = [4, size.width / 2, size.width - 4].map((x) => Math.abs(at!(x, 200) - expected(x)));
  expect(Math.max(...errors)).toBeLessThan(3);
});
