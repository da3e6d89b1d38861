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
const WORDS_PER_LINE = 7;
const SECONDS_PER_WORD = 0.35;

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
await drawLongClip(source, SECONDS);
const transcript = speak("word");
const corrected = speak("word", "corrected");
const drawer = openTextDrawer();
const words = distinctWords([...transcript, ...corrected]);
const measured = await drawer.measureWords(words, lookOf(streamSettings(JOB_DEFAULTS)), new AbortController().signal);

const cpu = { caption: [], line: [], word: [], whole: [], corrected: [] } as Record<string, number[]>;
const bytes = { line: [] as number[], whole: [] as number[] };
for (let run = 0; run < RUNS; run++) {
  const streamCache = await openStreamCache(folder.file(`cache-${run}`), 8 * 1024 ** 3);
  const measure = async (name: string, more: Partial<ClipRequest>): Promise<number> => {
    let size = 0;
    const cost = await costOf(async () => {
      const [output] = await render(`${name}-${run}`, more);
      size = (await stat(output!.path)).size;
    });
    cpu[name]!.push(cost.cpuSeconds);
    return size;
  };
  await measure("caption", {});
  bytes.line.push(await measure("line", { cut: withSubtitles("line", transcript), streamCache }));
  await measure("corrected", { cut: withSubtitles("line", corrected), streamCache });
  bytes.whole.push(await measure("whole", { cut: withSubtitles("line", transcript), isPictureNeverCut: true }));
  await measure("word", { cut: withSubtitles("word", transcript) });
}
console.log(`${SECONDS} s of 1080x1920 with ${VARIANTS} captions; ${describeMachine()}`);
const { caption, line, word, whole, corrected: again } = cpu as Required<typeof cpu>;
console.log(`CPU, subtitles by line / captions alone: ${describeRatio(line!, caption!, { atMost: 1.25 })}`);
console.log(`CPU, subtitles word by word / captions alone: ${describeRatio(word!, caption!, { atMost: 2 })}`);
console.log(`CPU, in pieces / in one piece: ${describeRatio(line!, whole!)}`);
console.log(`Bytes, in pieces / in one piece: ${describeRatio(bytes.line, bytes.whole)}`);
console.log(`CPU, after a corrected word / first render: ${describeRatio(again!, line!, { atMost: 0.1 })}`);

function render(name: string, more: Partial<ClipRequest>) {
  const captions = Array.from({ length: VARIANTS }, (_, i) => `Caption number ${i + 1}`);
  return renderClip(folder.file(name), { source, captions, variants: VARIANTS, ...more });
}

function withSubtitles(style: "line" | "word", spoken: Transcript): NonNullable<ClipRequest["cut"]> {
  const settings = { subtitle_style: style, subtitle_position: null };
  return (request) => addSubtitles(request, new Map([[0, spoken]]), settings, { words, measured });
}

/** Lines of words without a pause. With `replacement`, one word in the middle is another one. */
function speak(word: string, replacement = word): Transcript {
  const count = Math.floor(SECONDS / SECONDS_PER_WORD / WORDS_PER_LINE);
  return Array.from({ length: count }, (_, line) => {
    const spoken = Array.from({ length: WORDS_PER_LINE }, (_one, i) => {
      const place = line * WORDS_PER_LINE + i;
      const isReplaced = line === Math.floor(count / 2) && i === 3;
      const startSeconds = place * SECONDS_PER_WORD;
      const text = `${isReplaced ? replacement : word}${i < WORDS_PER_LINE - 1 ? " " : ""}`;
      return { text, startSeconds, endSeconds: startSeconds + SECONDS_PER_WORD };
    });
    const endSeconds = spoken.at(-1)!.endSeconds;
    return { startSeconds: spoken[0]!.startSeconds, endSeconds, words: spoken };
  });
}
