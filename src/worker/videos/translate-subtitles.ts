import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { isSameLanguage } from "#contract/jobs/outputs/languages.ts";
import type { RenderRequest } from "#media/plan/render-plan.ts";
import { onClockOf } from "#media/plan/subtitles/add-subtitles.ts";
import type { Spoken } from "#media/subtitles/find-fillers.ts";
import { linesIn, translateLine } from "#media/subtitles/translate-lines.ts";
import { type SpokenLine, textOf, type Transcript } from "#media/subtitles/transcript.ts";
import type { Attempt } from "./attempt.ts";
import { translateInto } from "./translate-captions.ts";

/** By the clip's number; null without a file or speech. */
type Subtitles = ReadonlyMap<number, Transcript | null>;

type Outputs = RenderRequest["outputs"];

/**
 * Returns the transcripts in each language; null is as they are spoken. Translates only lines that an output in the
 * language shows, without words that are cut out. Throws like `translateInto`.
 */
export async function translateSubtitles(
  attempt: Attempt,
  spoken: ReadonlyMap<number, Spoken | null>,
  { sources, byLanguage }: Pick<RenderRequest, "sources"> & { byLanguage: ReadonlyMap<string | null, Outputs> },
): Promise<ReadonlyMap<string | null, Subtitles>> {
  const shown = new Map<string, Map<number, (SpokenLine | null)[]>>();
  for (const [language, outputs] of byLanguage) {
    if (language === null) continue;
    const windows = windowsBySource(sources, outputs);
    const foreign = [...spoken].flatMap(([clip, one]) =>
      one && !isSameLanguage(one.language, language) ? [[clip, one.lines] as const] : [],
    );
    shown.set(language, new Map(foreign.map(([clip, lines]) => [clip, linesIn(lines, windows.get(clip) ?? [])])));
  }
  const wanted = [...shown].map(([language, clips]) => {
    const texts = [...clips.values()].flatMap((lines) => lines.flatMap((line) => (line ? textOf(line.words) : [])));
    // Lines of different clips are not each other's context.
    const speech = [...clips].flatMap(([clip, lines]) => contextOf(spoken.get(clip)!.lines, lines).concat(""));
    return [language, { texts, speech }] as const;
  });
  const made = await translateInto(attempt, new Map(wanted.filter(([, { texts }]) => texts.length > 0)), "subtitles");
  return new Map(
    [...byLanguage.keys()].map((language) => {
      const subtitles = [...spoken].map(([clip, one]): [number, Transcript | null] => {
        const lines = language === null ? undefined : shown.get(language)!.get(clip);
        if (!lines) return [clip, one && one.lines];
        const known = made.get(language!);
        return [clip, lines.flatMap((line) => (line ? translateLine(line, known!.get(textOf(line.words))!) : []))];
      });
      return [language, new Map(subtitles)];
    }),
  );
}

/** The texts of lines that are shown, and of their neighbors. */
function contextOf(lines: Transcript, shown: readonly (SpokenLine | null)[]): string[] {
  return lines.flatMap((line, i) => {
    const isNear = shown[i - 1] ?? shown[i] ?? shown[i + 1];
    return isNear ? textOf((shown[i] ?? line).words) : [];
  });
}

/** Where the outputs show each source. */
function windowsBySource(sources: RenderRequest["sources"], outputs: Outputs): Map<number, Window[]> {
  const known = new Set<string>();
  const windows = new Map<number, Window[]>();
  for (const { source, window, isBare } of outputs.flatMap(({ parts }) => parts)) {
    const key = JSON.stringify([source, window]);
    if (isBare || known.has(key)) continue;
    known.add(key);
    windows.getOrInsertComputed(source, () => []).push(onClockOf(sources[source]!.probe, window));
  }
  return windows;
}
