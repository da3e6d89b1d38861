import path from "node:path";
import { expect, test } from "vitest";
import { makeTone } from "#tests/support/media/make-clip.ts";
import { durations } from "#tests/support/media/measure.ts";
import { clickSeconds, FRAME_CODE, frameCodes } from "#tests/support/media/measure-timing.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip, type ClipRequest } from "#tests/support/media/render-clip.ts";
import { sampleOf } from "#tests/support/media/sample.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const VFR = ["-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const MUSIC = file("music.m4a");
await makeTone(MUSIC, { frequencyHz: 300, seconds: 0.5 });

const coded = (rate: number, seconds: number, then = "null") => [
  ...["-f", "lavfi", "-i", `color=black:s=160x96:r=${rate}:d=${seconds},${FRAME_CODE},${then}`],
];
const beep = (seconds: number) => [
  ...["-f", "lavfi", "-i", `aevalsrc='0.6*between(t,1,1.1)*sin(2*PI*1000*t)':s=48000:d=${seconds}`],
];

const SOURCES = [
  // half a second of movement, then a pause
  { name: "screen.mp4", picture: coded(60, 3, "select='lt(mod(n,90),31)'"), frames: 62 },
  { name: "24-to-60.mp4", picture: coded(120, 2, "select='if(lt(t,1),not(mod(n,5)),not(mod(n,2)))'"), frames: 84 },
  { name: "24-to-60.mkv", picture: coded(120, 2, "select='if(lt(t,1),not(mod(n,5)),not(mod(n,2)))'"), frames: 84 },
  { name: "30-to-15.mp4", picture: coded(30, 2, "select='lt(t,1)+not(mod(n,2))'"), frames: 45 },
  { name: "half-a-frame-late.mkv", picture: coded(24, 2), frames: 48 },
  { name: "jitter.mkv", picture: coded(30, 2, "settb=1/1000,setpts='PTS+(random(1)-0.5)*0.012/TB'"), frames: 60 },
];

test.each(sampleOf(SOURCES, ["screen.mp4", "24-to-60.mkv", "jitter.mkv"]))(
  "each of the $frames frames of $name is shown in sync with its sound",
  async ({ name, picture, frames }) => {
    await runTestFfmpeg([...picture, ...beep(2), ...VFR, "-c:a", "aac", file(name)]);
    const source = await frameCodes(file(name));
    const beepAt = await clickSeconds(file(name), "first stream");
    expect(source.size).toBe(frames);
    const modes: Record<string, Omit<ClipRequest, "source">> = {
      drawn: { watermark: "@" },
      copied: {},
      segments: { watermark: "@", segmentation: { type: "multiple", segmentSeconds: 1 } },
      replaced: { watermark: "@", tracks: [MUSIC] },
    };
    for (const [mode, request] of Object.entries(modes)) {
      const outputs = await renderClip(file(`${name}-${mode}`), { source: file(name), ...request });
      const shown: [number, number][] = [];
      let begin = 0;
      for (const output of outputs) {
        const codes = [...(await frameCodes(output.path))].map(([code, at]) => [code, at + begin] as [number, number]);
        // a segment may start with the previous segment's last frame
        shown.push(...codes.filter(([code]) => code !== shown.at(-1)?.[0]));
        begin += output.durationSeconds;
      }
      expect({ mode, codes: shown.map(([code]) => code) }).toEqual({ mode, codes: [...source.keys()] });
      // replaced sound has no beep, and segments share no clock
      const moved = outputs.length === 1 && !request.tracks ? (await clickSeconds(outputs[0]!.path)) - beepAt : null;
      const drifts = shown
        .slice(1)
        .map(([code, at]) => (moved === null ? 0 : Math.abs(at - source.get(code)! - moved)));
      expect(Math.max(...drifts)).toBeLessThan(0.02);
    }
  },
);

test("every second frame of a source at 120 frames per second is shown", async () => {
  await runTestFfmpeg([...coded(120, 2), ...VFR, file("120.mp4")]);
  const [output] = await renderClip(file("120"), { source: file("120.mp4"), watermark: "@" });
  const codes = [...(await frameCodes(output!.path)).keys()];
  expect(codes).toEqual(Array.from({ length: 120 }, (_, i) => codes[0]! + 2 * i));
});

test("a clip that starts during a slide starts with that slide", async () => {
  await runTestFfmpeg([
    ...coded(4, 4, "select='eq(n,0)+eq(n,3)+eq(n,15)'"),
    ...beep(4),
    ...VFR,
    "-c:a",
    "aac",
    file("slides.mp4"),
  ]);
  const segmentation = { type: "single", segmentSeconds: 1 } as const;
  const outputs = await renderClip(file("slides"), { source: file("slides.mp4"), variants: 3, segmentation });
  // starting at 0, 1.5 and 3 s of 4
  const codes = await Promise.all(outputs.map(async ({ path }) => Array.from((await frameCodes(path)).keys())));
  expect(codes).toEqual([[0, 3], [3], [3, 15]]);
});

test.each(sampleOf(["slow.flv", "slow.mkv"], ["slow.flv"]))(
  "%s at one frame a second keeps its length",
  async (name) => {
    await runTestFfmpeg([...coded(1, 2), ...beep(2), ...VFR, "-ar", "44100", "-c:a", "aac", file(name)]);
    const [output] = await renderClip(file(`${name}-out`), { source: file(name), watermark: "@" });
    expect([...(await frameCodes(output!.path)).keys()]).toEqual([0, 1]);
    expect(Math.abs((await durations(output!.path)).video - 2)).toBeLessThan(0.1);
  },
);

test.each(sampleOf(["held.mp4", "held.mkv", "held.webm", "held.flv"], ["held.mp4", "held.webm"]))(
  "%s: the last frame is held until the sound ends, drawn and copied, but not for replaced sound",
  async (name) => {
    const codecs =
      name === "held.webm" ? ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"] : [...VFR, "-c:a", "aac"];
    await runTestFfmpeg([
      ...coded(30, 1),
      ...beep(2),
      ...codecs,
      "-ar",
      name === "held.flv" ? "44100" : "48000",
      file(name),
    ]);
    for (const [mode, seconds] of [
      ["drawn", 2],
      ["copied", 2],
      ["replaced", 1],
    ] as const) {
      const request = { ...(mode === "drawn" ? { watermark: "@" } : {}), tracks: mode === "replaced" ? [MUSIC] : [] };
      const [output] = await renderClip(file(`${name}-${mode}`), { source: file(name), ...request });
      expect({ mode, isLongEnough: Math.abs(output!.durationSeconds - seconds) < 0.1 }).toEqual({
        mode,
        isLongEnough: true,
      });
      expect((await frameCodes(output!.path)).size).toBe(30);
    }
  },
);

test("a picture that starts late is shown from the start, copied or drawn", async () => {
  await runTestFfmpeg(["-itsoffset", "0.5", ...coded(30, 1.5), ...beep(2), ...VFR, "-c:a", "aac", file("late.mp4")]);
  for (const request of [{}, { watermark: "@" }]) {
    const [output] = await renderClip(file("late"), { source: file("late.mp4"), ...request });
    const codes = await frameCodes(output!.path);
    expect([codes.get(0), codes.size]).toEqual([0, 45]);
    expect(Math.abs(codes.get(1)! - 0.5333)).toBeLessThan(0.01);
  }
});

test("sound of a fragmented file stays in sync in later segments", async () => {
  const beeps = ["-f", "lavfi", "-i", "aevalsrc='0.6*lt(mod(t-0.5,1),0.1)*gte(t,0.5)*sin(2*PI*1000*t)':s=44100:d=3"];
  const encode = [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-bf",
    "2",
    "-g",
    "30",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
  ];
  await runTestFfmpeg([
    ...coded(30, 3),
    ...beeps,
    ...encode,
    "-movflags",
    "frag_keyframe+empty_moov",
    file("fragments.mp4"),
  ]);
  const segmentation = { type: "multiple", segmentSeconds: 1 } as const;
  const outputs = await renderClip(file("fragments"), { source: file("fragments.mp4"), segmentation });
  const first = await clickSeconds(outputs[0]!.path);
  for (const { path } of outputs.slice(1, 3)) expect(Math.abs((await clickSeconds(path)) - first)).toBeLessThan(0.005);
});

test("the limiter does not delay a mix", async () => {
  await runTestFfmpeg([...coded(30, 2), ...beep(2), ...VFR, "-c:a", "aac", file("mix.mp4")]);
  await runTestFfmpeg(["-f", "lavfi", "-i", "anullsrc=d=1", file("silence.wav")]);
  const settings = { audio_mode: "mix" } as const;
  const [output] = await renderClip(file("mix"), { source: file("mix.mp4"), tracks: [file("silence.wav")], settings });
  expect(Math.abs((await clickSeconds(output!.path)) - (await clickSeconds(file("mix.mp4"))))).toBeLessThan(0.002);
});
