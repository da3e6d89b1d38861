import { readFile, writeFile } from "node:fs/promises";
import { makeTone } from "#tests/support/media/make-clip.ts";
import { AAC, BT601, codedClip, type CorpusClip, H264, VP9 } from "./corpus-clip.ts";
import { beepTimes } from "../coded-sound.ts";

const LAYOUTS = ["mono", "2.1", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"];
const layouts = LAYOUTS.map((layout) =>
  codedClip(`layout-${layout}.mov`, `${layout} sound`, {
    ...{ seconds: 1.5, rate: "15", inSample: layout === "5.1" },
    sound: { layout, encode: ["-c:a", "pcm_s16le"] },
  }),
);

const codecs = [
  { name: "aac-5.1.mp4", layout: "5.1", encode: AAC },
  { name: "ac3-5.1.mkv", layout: "5.1", encode: ["-c:a", "ac3"] },
  { name: "eac3.mp4", encode: ["-c:a", "eac3"] },
  { name: "opus-5.1.mkv", layout: "5.1", encode: ["-c:a", "libopus"] },
  { name: "flac.mkv", encode: ["-c:a", "flac"] },
  { name: "vorbis.mkv", encode: ["-c:a", "libvorbis"] },
  { name: "alac.mov", encode: ["-c:a", "alac"] },
  { name: "mp3.mp4", encode: ["-c:a", "libmp3lame"] },
  { name: "mp2.ts", encode: ["-c:a", "mp2"] },
  { name: "8-khz.mp4", encode: AAC, sampleRate: 8_000 },
  { name: "22-khz.mp4", encode: AAC, sampleRate: 22_050 },
  { name: "44-khz.mp4", encode: AAC, sampleRate: 44_100 },
  { name: "96-khz.mov", encode: ["-c:a", "pcm_s24le"], sampleRate: 96_000 },
  { name: "float.mov", encode: ["-c:a", "pcm_f32le"] },
].map(({ name, ...sound }) =>
  codedClip(`sound-${name}`, "another sound", {
    ...{ seconds: 1.5, rate: "15", sound },
  }),
);

/** A longer sound's last beep comes after the picture; all others play with it. */
const CONTAINERS = [
  { name: "mp4", picture: H264, encode: AAC },
  { name: "mkv", picture: H264, encode: AAC },
  { name: "webm", picture: VP9, encode: ["-c:a", "libopus"] },
  { name: "flv", picture: H264, encode: [...AAC, "-ar", "44100"] },
  { name: "ts", picture: H264, encode: AAC },
  { name: "avi", picture: ["-c:v", "mpeg4", "-q:v", "2"], encode: ["-c:a", "pcm_s16le"] },
  { name: "mpg", picture: ["-c:v", "mpeg2video", "-q:v", "2"], encode: ["-c:a", "mp2"] },
];
const longer = CONTAINERS.map(({ name, picture, encode }) =>
  codedClip(`longer-sound.${name}`, "3 s of sound with 1.5 s of picture", {
    ...{ seconds: 1.5, picture, sound: { seconds: 3, beeps: beepTimes(3), encode } },
    ...(name === "avi" ? { filters: BT601 } : {}),
    inSample: name === "webm",
    expected: { seconds: 3, pictureSeconds: 1.5 },
  }),
);
const shorter = CONTAINERS.slice(0, 5).map(({ name, picture, encode }) =>
  codedClip(`shorter-sound.${name}`, "1.5 s of sound with 2.5 s of picture", {
    ...{ seconds: 2.5, picture, sound: { seconds: 1.5, beeps: beepTimes(1.5), encode } },
    inSample: name === "mp4",
  }),
);

/** A late start stays late: the first frame is shown until then. */
const late = ["mp4", "mkv", "ts"].flatMap((container) => [
  codedClip(`late-sound.${container}`, "sound begins after 0.4 s", {
    sound: { delay: 0.4, beeps: [0.6, 1.1, 1.75] },
    ...(container === "ts" ? { inSample: true } : {}),
  }),
  codedClip(`late-picture.${container}`, "the picture begins after 0.4 s", {
    ...{ delay: 0.4, sound: { seconds: 2.4, beeps: [0.6, 1.32, 2.15] } },
    expected: { seconds: 2.4 },
  }),
]);
/** Matroska rounds times, and the file's start, to milliseconds: neither may cost the last frame. */
const slightlyLate = [
  codedClip("late-start.mkv", "time begins at 0.1 s", { output: ["-output_ts_offset", "0.1"] }),
  codedClip("late-picture-0.1.mkv", "the picture begins after 0.1 s", {
    ...{ delay: 0.1, sound: { seconds: 2.1, beeps: [0.3, 1.2, 1.9] } },
    expected: { seconds: 2.1 },
  }),
];

type Tone = Partial<Parameters<typeof makeTone>[1]>;
const joined = (
  [
    { name: "alike", about: "of one kind", parts: [{}, {}] },
    { name: "mono-first", about: "the first one mono", parts: [{ channels: 1 }, {}] },
    { name: "rates", about: "of two sample rates", parts: [{}, { sampleRate: 44_100, channels: 1 }] },
  ] satisfies { name: string; about: string; parts: [Tone, Tone] }[]
).map(({ name, about, parts }) =>
  codedClip(`joined-music-${name}.mp4`, `music of two MP3 files in one, ${about}`, {
    seconds: 3,
    async makeMusic(file) {
      const files = parts.map((_, i) => `${file}.${i}.mp3`);
      for (const [i, part] of parts.entries())
        await makeTone(files[i]!, { frequencyHz: 440 + 160 * i, seconds: 1.2, ...part });
      await writeFile(file, Buffer.concat(await Promise.all(files.map((made) => readFile(made)))));
    },
  }),
);

export const SOUND_CLIPS: CorpusClip[] = [
  ...layouts,
  ...codecs,
  ...longer,
  ...shorter,
  ...late,
  ...slightlyLate,
  ...joined,
  codedClip("silent.mp4", "no sound", { sound: null }),
];
