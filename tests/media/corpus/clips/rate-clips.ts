import { readFile, writeFile } from "node:fs/promises";
import { BT601, codedClip, type CorpusClip, rateOf, VP9 } from "./corpus-clip.ts";

const EVEN_RATES = [
  ...["1", "2", "5", "15/2", "10", "12", "15", "20", "24000/1001", "24", "25", "30000/1001", "30", "1000/33", "48"],
  ...["50", "60000/1001", "60", "72", "90", "120", "144", "240", "1000"],
];
const SAMPLED = new Set(["30000/1001", "240"]);

function secondsOf(rate: number): number {
  if (rate <= 2) return 4;
  return rate >= 1_000 ? 1 : 1.5;
}

const even = EVEN_RATES.map((rate) => {
  const number = rateOf(rate);
  const frames = Math.round(secondsOf(number) * number);
  return codedClip(`rate-${rate.replace("/", "-")}.mp4`, `${rate} frames a second`, {
    rate,
    seconds: frames / number,
    inSample: SAMPLED.has(rate),
    picture: ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "16", "-g", String(Math.ceil(number))],
  });
});

function timesOf(...parts: [frames: number, seconds: number][]): number[] {
  let time = 0;
  return parts.flatMap(([frames, seconds]) =>
    Array.from({ length: frames }, () => {
      const at = time;
      time += seconds;
      return at;
    }),
  );
}

/** A screen recording: still for long, then at the screen's rate. */
const SCREEN = timesOf([1, 0.4], [20, 1 / 60], [1, 0.5], [1, 0.35], [30, 1 / 30], [8, 1 / 60]);
/** A phone's irregular frames at about 30 per second, one in nine lost. */
const PHONE = Array.from({ length: 60 }, (_, i) => i / 30 + (i % 3) * 0.004).filter((_, i) => i % 9 !== 5);
const PATTERN = timesOf(
  ...Array.from(
    { length: 12 },
    () =>
      [
        [1, 0.02],
        [1, 0.05],
        [1, 0.1],
      ] as [number, number][],
  ).flat(),
);

type Uneven = { name: string; about: string; times: number[]; rate: string; seconds: number };
const UNEVEN: Uneven[] = [
  { name: "screen", about: "a screen recording, still and quick", times: SCREEN, rate: "60", seconds: 61 },
  {
    name: "24-to-60",
    about: "24 frames a second, then 60",
    times: timesOf([36, 1 / 24], [60, 1 / 60]),
    rate: "60",
    seconds: 2.5,
  },
  {
    name: "30-to-15",
    about: "30 frames a second, then 15",
    times: timesOf([45, 1 / 30], [23, 1 / 15]),
    rate: "30",
    seconds: 3,
  },
  { name: "phone", about: "30 frames a second, uneven, some lost", times: PHONE, rate: "30", seconds: 2 },
  { name: "pattern", about: "frames of 20, 50 and 100 ms by turns", times: PATTERN, rate: "50", seconds: 2.04 },
];

const SAMPLED_UNEVEN = new Set(["screen.mp4"]);

/** At most sixty frames per second, in containers with three different clocks. */
const uneven = UNEVEN.flatMap(({ name, about, times, rate, seconds }) =>
  ["mp4", "mkv", "webm", "ts"].map((container) => {
    const last = times.at(-1)!;
    const end = seconds > 10 ? last + 1 / 60 : seconds;
    return codedClip(`uneven-${name}.${container}`, about, {
      ...{ times, rate, seconds: end },
      ...(container === "webm" ? { picture: VP9, sound: { encode: ["-c:a", "libopus"] } } : {}),
      output: container === "mp4" ? ["-video_track_timescale", "90000", ...lastFor(times.length - 1, end - last)] : [],
      ...(container === "mp4" ? {} : { expected: { pictureSeconds: null } }),
      inSample: SAMPLED_UNEVEN.has(`${name}.${container}`),
    });
  }),
);

function lastFor(last: number, seconds: number): string[] {
  return ["-bsf:v", `setts=duration=if(eq(N\\,${last})\\,${seconds.toFixed(6)}/TB\\,DURATION)`];
}

/** The last slide is the longest: its time comes from the container or the sound. */
const SLIDES = [0, 0.6, 1, 1.75];
const slides = ["mp4", "mkv"].map((container) =>
  codedClip(`slides.${container}`, "four slides, the last one for 2.25 s", {
    times: SLIDES,
    rate: "4/9",
    seconds: 4,
    output: lastFor(3, 2.25),
    expected: { framesPerSecond: 30, ...(container === "mkv" ? { pictureSeconds: null } : {}) },
  }),
);

/** Matroska's DefaultDuration of four bytes, up to its value in nanoseconds. */
const DEFAULT_DURATION = Buffer.from("23e38384", "hex");

export const RATE_CLIPS: CorpusClip[] = [
  ...even,
  ...uneven,
  ...slides,
  codedClip("rate-unknown.mkv", "29.97 frames a second in thousandths, said to be 1000 a second", {
    rate: "30000/1001",
    seconds: 2.002,
    filters: [...BT601.slice(0, 1), "zscale=matrix=709:range=limited", "format=yuv420p", "settb=1/1000"],
    output: ["-enc_time_base", "1:1000", "-fps_mode", "passthrough"],
  }),
  codedClip("rate-stated-1000.mkv", "29.97 frames a second, stated to last a millisecond each", {
    ...{ rate: "30000/1001", seconds: 2.002 },
    async finish(made, file) {
      const bytes = await readFile(made);
      const at = bytes.indexOf(DEFAULT_DURATION);
      if (at < 0) throw new Error(`${made} states no duration of frames.`);
      bytes.writeUInt32BE(1_000_000, at + DEFAULT_DURATION.length);
      await writeFile(file, bytes);
    },
  }),
];
