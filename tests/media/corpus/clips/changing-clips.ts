/** Clips that change midway: size, pixel shape, range, sound layout. Their two parts are joined without encoding. */
import { readFile, writeFile } from "node:fs/promises";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { beepTimes } from "../coded-sound.ts";
import { BT601, BT709, codedClip, type CorpusClip, H264, tagged, VP8 } from "./corpus-clip.ts";

/** Contains a whole number of frames in most codecs, so that the join has no gap. */
const PART_SECONDS = 1.2;
const SOUNDS: Record<string, string[]> = {
  ts: ["-c:a", "mp2"],
  mkv: ["-c:a", "pcm_s16le"],
  webm: ["-c:a", "libopus"],
};
/** Matroska stores only the first part's headers, so each picture repeats them. */
const H264_HEADERS_WITHIN = [...H264, "-x264-params", "repeat-headers=1"];

type Part = Parameters<typeof codedClip>[2];
type Change = {
  name: string;
  about: string;
  containers: string[];
  parts: [Part, Part];
  /** As ffmpeg options. */
  turn?: string[];
};

const FULL_RANGE = ["format=gbrp", "zscale=matrix=709:range=full", "format=yuv420p", ...tagged("bt709")];
const LARGER = { width: 320, height: 180 };
const UPRIGHT = { width: 108, height: 192 };
const LARGER_UPRIGHT = { width: 180, height: 320 };
/** The container's rotation brings these upright. */
const TURNED = { filters: ["transpose=clock", ...BT709] };
const MIRRORED = { filters: ["transpose=clock_flip", ...BT709] };
const CHANGES: Change[] = [
  { name: "size", about: "from 192x108 to 320x180", containers: ["ts", "mkv", "webm"], parts: [{}, LARGER] },
  { name: "smaller", about: "from 320x180 to 192x108", containers: ["ts", "mkv", "webm"], parts: [LARGER, {}] },
  {
    name: "shape",
    about: "from square pixels to wide ones",
    // Matroska states one shape for all
    containers: ["ts"],
    parts: [{}, { filters: ["scale=144:108", "setsar=4/3", ...BT709] }],
  },
  {
    name: "range",
    about: "from limited range to full range",
    // Matroska states one shape for all
    containers: ["ts"],
    parts: [{}, { filters: FULL_RANGE }],
  },
  {
    name: "size-turned",
    about: "from 108x192 to 180x320, turned by the container",
    containers: ["mkv"],
    parts: [
      { ...UPRIGHT, ...TURNED },
      { ...LARGER_UPRIGHT, ...TURNED },
    ],
    turn: ["-display_rotation", "90"],
  },
  {
    name: "size-mirrored",
    about: "from 180x320 to 108x192, turned and mirrored by the container",
    containers: ["mkv"],
    parts: [
      { ...LARGER_UPRIGHT, ...MIRRORED },
      { ...UPRIGHT, ...MIRRORED },
    ],
    turn: ["-display_rotation", "90", "-display_hflip"],
  },
  { name: "layout", about: "from stereo to mono", containers: ["ts"], parts: [{}, { sound: { layout: "mono" } }] },
];

const SAMPLED = new Set(["layout.ts"]);

const changing = CHANGES.flatMap(({ name, about, containers, parts, turn = [] }) =>
  containers.map((container): CorpusClip => {
    const halves = parts.map((part, half) => makeHalf(part, half, container)) as [CorpusClip, CorpusClip];
    const frames = Math.round(PART_SECONDS * 2 * 30);
    return {
      name: `change-${name}.${container}`,
      about,
      make: (file) => join(file, halves, { container, turn }),
      expected: {
        ...halves[0].expected,
        // the larger size, so that no detail is lost
        width: Math.max(...halves.map(({ expected }) => expected.width)),
        height: Math.max(...halves.map(({ expected }) => expected.height)),
        ...{ seconds: PART_SECONDS * 2, soundSeconds: PART_SECONDS * 2, beeps: beepTimes(PART_SECONDS * 2) },
        shown: Array.from({ length: frames }, (_, number) => ({ number, seconds: number / 30 })),
      },
      inSample: SAMPLED.has(`${name}.${container}`),
    };
  }),
);

function makeHalf(part: Part, half: number, container: string): CorpusClip {
  const frames = Math.round(PART_SECONDS * 30);
  const beeps = beepTimes(PART_SECONDS * 2).map((beep) => {
    const within = beep - half * PART_SECONDS;
    return within >= 0 && within < PART_SECONDS ? within : null;
  });
  const codec = container === "webm" ? { filters: BT601, picture: VP8 } : { picture: H264_HEADERS_WITHIN };
  return codedClip(`half.${container}`, "", {
    seconds: PART_SECONDS,
    numbers: Array.from({ length: frames }, (_, i) => half * frames + i),
    ...codec,
    ...part,
    sound: { encode: SOUNDS[container]!, beeps, ...part?.sound },
    // one clock for both, since their bytes are joined
    output: container === "ts" ? ["-output_ts_offset", String(half * PART_SECONDS)] : [],
  });
}

async function join(
  file: string,
  halves: readonly CorpusClip[],
  { container, turn }: { container: string; turn: readonly string[] },
): Promise<void> {
  const made = halves.map((_, i) => `${file}.${i}.${container}`);
  for (const [i, half] of halves.entries()) await half.make(made[i]!);
  if (container === "ts") {
    await writeFile(file, Buffer.concat(await Promise.all(made.map((path) => readFile(path)))));
    return;
  }
  await writeFile(`${file}.txt`, made.map((path) => `file '${path}'\n`).join(""));
  await runTestFfmpeg([...turn, "-f", "concat", "-safe", "0", "-i", `${file}.txt`, "-c", "copy", file]);
}

/** For formats that are not primarily video files. */
const GIF_FILTERS = "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none";
export const CHANGING_CLIPS: CorpusClip[] = [
  ...changing,
  codedClip("moving.gif", "an animated GIF", {
    ...{ rate: "10", sound: null, filters: [GIF_FILTERS], picture: ["-c:v", "gif"], inSample: true },
  }),
  codedClip("moving.apng", "an animated PNG", {
    ...{ rate: "10", sound: null, filters: ["format=rgb24"], picture: ["-c:v", "apng"], output: ["-f", "apng"] },
  }),
  codedClip("tape.dv", "raw DV", {
    ...{ width: 1024, height: 576, rate: "25", seconds: 1, picture: ["-c:v", "dvvideo"] },
    filters: [
      "scale=720:576",
      "setsar=64/45",
      ...BT601.slice(0, 1),
      "zscale=matrix=470bg:range=limited",
      "format=yuv420p",
    ],
    sound: { encode: ["-c:a", "pcm_s16le"] },
  }),
];
