/** Clips with a track beside picture and sound that lasts longer or shorter than both. */
import { writeFile } from "node:fs/promises";
import { addTrack, EXTRA_TRACKS, ROOM_IN_FRONT } from "#tests/support/media/add-track.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { codedClip, type CorpusClip } from "./corpus-clip.ts";

const SECONDS = 2;
/** Under a second: ffmpeg ignores data that lasts longer. */
const LENGTHS = { longer: SECONDS + 0.7, shorter: 0.6 } as const;
const SAMPLED = new Set(["longer-telemetry"]);

const tracks = (Object.keys(EXTRA_TRACKS) as (keyof typeof EXTRA_TRACKS)[]).flatMap((kind) =>
  (["longer", "shorter"] as const).map((length) => {
    const name = `${length}-${kind.replaceAll(" ", "-")}`;
    return codedClip(`${name}.mp4`, `${length} ${kind} beside the picture`, {
      seconds: SECONDS,
      output: ROOM_IN_FRONT,
      finish: (made, file) => addTrack(made, file, kind, LENGTHS[length]),
      inSample: SAMPLED.has(name),
    });
  }),
);

async function addSubtitles(made: string, file: string, untilSeconds: number): Promise<void> {
  await writeFile(`${file}.srt`, `1\n00:00:00,100 --> 00:00:0${untilSeconds.toFixed(3).replace(".", ",")}\nHi\n\n`);
  await runTestFfmpeg(["-i", made, "-i", `${file}.srt`, "-map", "0", "-map", "1", "-c", "copy", file]);
}

async function addCover(made: string, file: string): Promise<void> {
  await runTestFfmpeg(["-i", made, "-frames:v", "1", "-update", "1", `${file}.jpg`]);
  const inputs = file.endsWith("mkv")
    ? ["-i", made, "-attach", `${file}.jpg`, "-metadata:s:t", "mimetype=image/jpeg"]
    : ["-i", made, "-i", `${file}.jpg`, "-map", "0", "-map", "1", "-disposition:v:1", "attached_pic"];
  await runTestFfmpeg([...inputs, "-c", "copy", file]);
}

async function addChapters(made: string, file: string): Promise<void> {
  const chapters = [0, 1_000].map((start) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=2700\n`);
  await writeFile(`${file}.txt`, `;FFMETADATA1\n${chapters.join("")}`);
  await runTestFfmpeg(["-i", made, "-i", `${file}.txt`, "-map_chapters", "1", "-c", "copy", file]);
}

export const EXTRA_TRACK_CLIPS: CorpusClip[] = [
  ...tracks,
  codedClip("only-apac.mp4", "no sound but Apple's spatial one, which is longer", {
    ...{ seconds: SECONDS, sound: null, output: ROOM_IN_FRONT },
    finish: (made, file) => addTrack(made, file, "apac", LENGTHS.longer),
  }),
  ...(["longer", "shorter"] as const).map((length) =>
    codedClip(`${length}-subtitles.mkv`, `${length} subtitles beside the picture`, {
      seconds: SECONDS,
      finish: (made, file) => addSubtitles(made, file, LENGTHS[length]),
    }),
  ),
  ...["mp4", "mkv"].flatMap((container) => [
    codedClip(`cover.${container}`, "an attached picture", { seconds: SECONDS, finish: addCover }),
    codedClip(`chapters.${container}`, "chapters that last longer", { seconds: SECONDS, finish: addChapters }),
  ]),
];
