/** Subtitles: CPU compared with a caption alone, that of cutting for corrections, and that of a corrected word. */
import { stat } from "node:fs/promises";
import { lookOf } from "#media/captions/layout/caption-shape.ts";
import { openTextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { addSubtitles, distinctWords } from "#media/plan/subtitles/add-subtitles.ts";
import { openStreamCache } from "#media/render/stream-cache.ts";
import type { Transcript } from "#media/subtitles/transcript.ts";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import { type ClipRequest, renderClip } from "#tests/support/media/render-clip.ts";
import { drawLongClip } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";

const SECONDS = clipSeconds(60);
const VARIANTS = 10;
/** For comparisons that need fewer files. */
const SHORT_SECONDS = SECONDS / 3;
const FEW = 4;
const WORDS_PER_LINE = 7;
const SECONDS_PER_WORD = 0.35;

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
const short = folder.file("short.mp4");
await drawLongClip(source, SECONDS);
await drawLongClip(short, SHORT_SECONDS);
const transcript = speak();
const corrected = speak("corrected");
const drawer = openTextDrawer();
const words = distinctWords([...transcript, ...corrected]);
const measured = await drawer.measureWords(words, lookOf(streamSettings(JOB_DEFAULTS)), new AbortController().signal);

const cpu = { caption: [], line: [], word: [], whole: [], first: [], corrected: [] } as Record<string, number[]>;
const bytes = { line: [] as number[], whole: [] as number[] };
for (let run = 0; run < RUNS; run++) {
  const measure = async (name: string, request: ClipRequest): Promise<number> => {
    let size = 0;
    const cost = await costOf(async () => {
      const [output] = await renderClip(folder.file(`${name}-${run}`), request);
      size = (await stat(output!.path)).size;
    });
    cpu[name]!.push(cost.cpuSeconds);
    return size;
  };
  const few = { source: short, ...captioned(FEW) };
  const byLine = withSubtitles("line", transcript);
  await measure("caption", few);
  bytes.line.push(await measure("line", { ...few, cut: byLine }));
  bytes.whole.push(await measure("whole", { ...few, cut: byLine, isPictureNeverCut: true }));
  await measure("word", { ...few, cut: withSubtitles("word", transcript) });
  const streamCache = await openStreamCache(folder.file(`cache-${run}`), 8 * 1024 ** 3);
  const all = { source, ...captioned(VARIANTS), streamCache };
  await measure("first", { ...all, cut: byLine });
  await measure("corrected", { ...all, cut: withSubtitles("line", corrected) });
}
const { caption, line, word, whole, first, corrected: again } = cpu;
console.log(`1080x1920 with a caption per file; ${describeMachine()}`);
console.log(`${FEW} files of ${SHORT_SECONDS} s:`);
console.log(`CPU, subtitles by line / captions alone: ${describeRatio(line!, caption!, { atMost: 1.25 })}`);
console.log(`CPU, subtitles word by word / captions alone: ${describeRatio(word!, caption!, { atMost: 2 })}`);
console.log(`CPU, in pieces / in one piece: ${describeRatio(line!, whole!)}`);
console.log(`Bytes, in pieces / in one piece: ${describeRatio(bytes.line, bytes.whole)}`);
console.log(`${VARIANTS} files of ${SECONDS} s:`);
console.log(`CPU, after a corrected word / first render: ${describeRatio(again!, first!, { atMost: 0.1 })}`);

function captioned(variants: number) {
  return { variants, captions: Array.from({ length: variants }, (_, i) => `Caption number ${i + 1}`) };
}

function withSubtitles(style: "line" | "word", spoken: Transcript): NonNullable<ClipRequest["cut"]> {
  const settings = { subtitle_style: style, subtitle_position: null };
  return (request) => addSubtitles(request, new Map([[0, spoken]]), settings, { words, measured });
}

/** Lines of words without a pause. With a `replacement`, it replaces a word in the middle. */
function speak(replacement: string | null = null): Transcript {
  const count = Math.floor(SECONDS / SECONDS_PER_WORD / WORDS_PER_LINE);
  return Array.from({ length: count }, (_, line) => {
    const spoken = Array.from({ length: WORDS_PER_LINE }, (_one, i) => {
      const place = line * WORDS_PER_LINE + i;
      const isReplaced = line === Math.floor(count / 2) && i === 3;
      const startSeconds = place * SECONDS_PER_WORD;
      const text = `${replacement !== null && isReplaced ? replacement : `word${place % 100}`}${i < WORDS_PER_LINE - 1 ? " " : ""}`;
      return { text, startSeconds, endSeconds: startSeconds + SECONDS_PER_WORD };
    });
    const endSeconds = spoken.at(-1)!.endSeconds;
    return { startSeconds: spoken[0]!.startSeconds, endSeconds, words: spoken };
  });
}
