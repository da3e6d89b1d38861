/** Clips with edit lists, wraps, fragments or two clocks. */
import { readFile, writeFile } from "node:fs/promises";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { beepTimes } from "../coded-sound.ts";
import { AAC, codedClip, type CorpusClip, type Expected, H264 } from "./corpus-clip.ts";
import { dropSyncSamples, type Edit, writeEdits } from "./patch-mp4.ts";

/** MPEG timestamps count 90,000 per second in 33 bits. */
const WRAP_SECONDS = 2 ** 33 / 90_000;
const MPEG2 = ["-c:v", "mpeg2video", "-q:v", "2", "-g", "15"];
const ONE_KEYFRAME = [...H264, "-g", "600"];

const shifted = [
  { name: "far.ts", about: "time begins at 9,000 s", output: ["-output_ts_offset", "9000"] },
  { name: "wrap.ts", about: "timestamps wrap around", output: ["-output_ts_offset", String(WRAP_SECONDS - 2.4)] },
  { name: "far.mkv", about: "time begins at 100 s", output: ["-output_ts_offset", "100"] },
  {
    name: "before-zero.mp4",
    about: "frames are decoded before zero",
    picture: [...H264, "-bf", "2"],
    output: ["-movflags", "negative_cts_offsets"],
  },
  { name: "b-frames.mp4", about: "frames are decoded out of order", picture: [...H264, "-bf", "3"] },
  { name: "b-frames.mkv", about: "frames are decoded out of order", picture: [...H264, "-bf", "3"] },
  { name: "b-frames.ts", about: "frames are decoded out of order", picture: [...H264, "-bf", "3"] },
  { name: "program.mpg", about: "a program stream", picture: MPEG2, sound: { encode: ["-c:a", "mp2"] } },
  { name: "live.mkv", about: "no length and no index", output: ["-live", "1"] },
  {
    name: "fragments.mp4",
    about: "fragments of half a second",
    picture: [...H264, "-g", "15"],
    output: ["-movflags", "frag_keyframe+empty_moov+default_base_moof"],
  },
].map(({ name, about, ...options }) =>
  codedClip(`clock-${name}`, about, {
    ...options,
    inSample: name === "far.mkv",
  }),
);

/** Expects only these parts of 2 s at 30 frames per second. */
function expectEdits(edits: readonly Edit[]): Partial<Expected> {
  let played = 0;
  const moved = (seconds: number) => {
    let start = 0;
    for (const [from, to] of edits) {
      if (seconds >= from - 1e-6 && seconds < to - 1e-6) return start + seconds - from;
      start += to - from;
    }
    return null;
  };
  for (const [from, to] of edits) played += to - from;
  const shown = Array.from({ length: 60 }, (_, number) => ({ number, seconds: moved(number / 30) }));
  return {
    seconds: played,
    soundSeconds: played,
    shown: shown.flatMap(({ number, seconds }) => (seconds === null ? [] : [{ number, seconds }])),
    beeps: beepTimes(2).map((beep) => moved(beep)),
  };
}

const EDITS: { name: string; about: string; edits: Edit[]; picture?: string[]; inSample?: boolean }[] = [
  { name: "start", about: "an edit list begins between key frames", edits: [[0.5, 2]], inSample: true },
  {
    name: "keyless",
    about: "an edit list shows a part without a keyframe",
    edits: [[0.8, 1.4]],
    picture: ONE_KEYFRAME,
  },
  {
    name: "group",
    about: "an edit list shows two parts of one group of pictures",
    edits: [
      [0, 0.5],
      [1, 2],
    ],
    picture: ONE_KEYFRAME,
  },
  { name: "end", about: "an edit list ends early", edits: [[0, 1.5]] },
  {
    name: "two",
    about: "an edit list of two parts",
    edits: [
      [0, 0.5],
      [1, 2],
    ],
  },
];
const edited = EDITS.map(({ name, about, edits, ...options }) =>
  codedClip(`edits-${name}.mp4`, about, {
    ...options,
    finish: (made, file) => writeEdits(made, file, edits),
    expected: expectEdits(edits),
  }),
);

/**
 * Two recordings with separate clocks, joined as bytes, with a beep near each side of the join. In the longest clip,
 * segments start far from the first one.
 */
const TWO_CLOCKS = [
  { name: "two-clocks.ts", halfSeconds: 4, picture: H264, sound: AAC },
  { name: "two-clocks.mpg", halfSeconds: 2, picture: MPEG2, sound: ["-c:a", "mp2"] },
  { name: "two-clocks-long.mpg", halfSeconds: 8, picture: MPEG2, sound: ["-c:a", "mp2"] },
].map(({ name, halfSeconds, picture, sound }): CorpusClip => {
  const container = name.split(".")[1]!;
  const frames = halfSeconds * 30;
  const [first, second] = [0, 1].map((half) =>
    codedClip(`half.${container}`, "", {
      ...{ seconds: halfSeconds, picture },
      numbers: Array.from({ length: frames }, (_, i) => half * frames + i),
      sound: { encode: sound, beeps: half === 0 ? [halfSeconds - 0.25, null, null] : [null, 0.2, halfSeconds - 0.25] },
    }),
  ) as [CorpusClip, CorpusClip];
  return {
    name,
    about: "two recordings in one file, each with its own clock",
    async make(file) {
      await first.make(`${file}.1.${container}`);
      await second.make(`${file}.2.${container}`);
      const halves = [await readFile(`${file}.1.${container}`), await readFile(`${file}.2.${container}`)];
      await writeFile(file, Buffer.concat(halves));
    },
    expected: {
      ...first.expected,
      ...{ seconds: 2 * halfSeconds, soundSeconds: 2 * halfSeconds },
      beeps: [halfSeconds - 0.25, halfSeconds + 0.2, 2 * halfSeconds - 0.25],
      shown: Array.from({ length: 2 * frames }, (_, number) => ({ number, seconds: number / 30 })),
    },
  };
});

export const CLOCK_CLIPS: CorpusClip[] = [
  ...shifted,
  ...edited,
  ...TWO_CLOCKS,
  codedClip("edits-copied.mp4", "cut by copying, between key frames", {
    finish: (made, file) => runTestFfmpeg(["-ss", "0.5", "-i", made, "-c", "copy", file]),
    expected: expectEdits([[0.5, 2]]),
  }),
  codedClip("edits-without-sync.mp4", "an edit list where no frame is named as one to start from", {
    async finish(made, file) {
      await writeEdits(made, `${file}.edited`, [[0.5, 2]]);
      await dropSyncSamples(`${file}.edited`, file);
    },
    expected: expectEdits([[0.5, 2]]),
  }),
];
