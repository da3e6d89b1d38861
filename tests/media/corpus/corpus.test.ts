/** Compares every clip in every render mode with what a player shows and plays. `npm test` renders a sample. */
import { appendFile, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeTone } from "#tests/support/media/make-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { checkOutput } from "./check-output.ts";
import type { CorpusClip } from "./clips/corpus-clip.ts";
import { CORPUS } from "./clips/corpus-clips.ts";
import { NOTHING_FOUND, type Row } from "./findings.ts";
import { measureOutputs } from "./measure-output.ts";
import { type Mode, MODES, renderInMode } from "./render-modes.ts";

/** Set by `npm run test:media`. */
const resultsFile = process.env["MEDIA_RESULTS"];
/** Comma-separated parts of clip names. */
const wanted = (process.env["MEDIA_CLIPS"] ?? "").split(",");

const folder = await makeScratchFolder();
const music = path.join(folder, "music.m4a");
await makeTone(music, { frequencyHz: 440, seconds: 10 });

const clips = CORPUS.filter((clip) => (resultsFile ? wanted.some((text) => clip.name.includes(text)) : clip.inSample));

test.each(clips)("$name ($about) matches what a player shows", { timeout: 300_000 }, async (clip) => {
  const clipFolder = path.join(folder, clip.name);
  await mkdir(clipFolder);
  await clip.make(path.join(clipFolder, clip.name));
  await clip.makeMusic?.(path.join(clipFolder, "music.mp3"));
  const rows = await Promise.all(MODES.map((mode) => tryMode(clip, mode, clipFolder)));
  await rm(clipFolder, { recursive: true });
  if (resultsFile) await appendFile(resultsFile, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  expect(rows.flatMap(({ mode, problems }) => problems.map((problem) => `${mode}: ${problem}`))).toEqual([]);
});

async function tryMode(clip: CorpusClip, mode: Mode, clipFolder: string): Promise<Row> {
  const { name, about, expected } = clip;
  const source = path.join(clipFolder, name);
  try {
    const { seconds } = expected;
    const track = clip.makeMusic ? path.join(clipFolder, "music.mp3") : music;
    const outputs = await renderInMode(mode, { folder: path.join(clipFolder, mode), source, seconds, music: track });
    const measured = await measureOutputs(outputs, expected.matrix);
    return { clip: name, about, mode, ...checkOutput(mode, expected, measured) };
  } catch (error) {
    return { clip: name, about, mode, ...NOTHING_FOUND, problems: [String(error)] };
  }
}
