import type { JobSettings, StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { lettersMissing, subtitlesNotShown, type Warning } from "#contract/jobs/outputs/warnings.ts";
import type { MeasuredWords } from "../../captions/drawing/draw-subtitle.ts";
import { lookOf, shapeOf } from "../../captions/layout/caption-shape.ts";
import { roomOfRow } from "../../captions/layout/lay-out-subtitle.ts";
import { breakIntoCues, type Cue, type CueRoom } from "../../subtitles/break-into-cues.ts";
import { type ShownCue, showCue } from "../../subtitles/show-cues.ts";
import { type SpokenLine, textOf, type Transcript } from "../../subtitles/transcript.ts";
import { createDrawings, languageIfDrawn } from "../layers.ts";
import { planFrames } from "../plan-frames.ts";
import type { RenderRequest, TimedDrawing, TimelinePart } from "../render-plan.ts";

type SubtitleSettings = Pick<JobSettings, "subtitle_style" | "subtitle_position">;

/** Returns each word once, and a space: what `addSubtitles` needs the widths of. */
export function distinctWords(transcript: Transcript): string[] {
  const words = new Set([" "]);
  for (const line of transcript) for (const { text } of line.words) words.add(text.trimEnd());
  return [...words];
}

/**
 * Shows transcripts in the parts of all outputs. They are by the source's number; null for one without words.
 * Each part shows only the words that are spoken in it, so none of what is cut out. `language` is that of the words, if
 * it is known.
 */
export function addSubtitles(
  request: RenderRequest,
  transcripts: ReadonlyMap<number, Transcript | null>,
  settings: SubtitleSettings,
  { words, measured, language = null }: { words: readonly string[]; measured: MeasuredWords; language?: string | null },
): RenderRequest {
  const drawings = createDrawings(request.drawings);
  const look = lookOf(request.settings);
  const shape = shapeOf(words.join(" "), look.style, measured.font);
  const { width, height } = planFrames(request.sources[0].probe, request.settings);
  const widths = new Map(words.map((word, i) => [word, measured.widths[i]!]));
  const room: CueRoom = {
    ...roomOfRow(look, shape, { width, height, platform: request.settings.platform }),
    widthOf: (text) => widths.get(text) ?? 0,
  };
  const common = { shape, position: settings.subtitle_position ?? positionBesides(request) };
  const blank = drawings.placeOf({ kind: "subtitle", subtitle: { rows: [], mark: null, ...common }, blank: null });
  const place = ({ rows, mark, startSeconds, endSeconds }: ShownCue): TimedDrawing => {
    const texts = rows.map((row) => row.map(oneLine));
    const subtitle = { rows: texts, mark, ...common, ...languageIfDrawn(texts.flat().join(" "), language) };
    return { drawing: drawings.placeOf({ kind: "subtitle", subtitle, blank }), startSeconds, endSeconds };
  };
  type Shown = Required<Pick<TimelinePart, "subtitles" | "cues">>;
  const known = new Map<string, Shown>();
  const shownIn = ({ source, window, speed = 1 }: TimelinePart, transcript: Transcript): Shown => {
    const key = JSON.stringify([source, window, speed]);
    const found = known.get(key) ?? show(transcript, onClockOf(request.sources[source]!.probe, window), speed);
    known.set(key, found);
    return found;
  };
  const show = (transcript: Transcript, window: Window, speed: number): Shown => {
    const cues = breakIntoCues(transcript, window, { ...room, speed });
    return {
      subtitles: cues.flatMap((cue) => showCue(cue, settings.subtitle_style).map(place)),
      cues: cues.map(toLine),
    };
  };
  const missing = lettersMissing("subtitle text", measured.missing);
  const outputs = request.outputs.map((output) => {
    const parts = output.parts.map((part) => {
      const transcript = part.isBare ? null : transcripts.get(part.source);
      return transcript ? { ...part, ...shownIn(part, transcript) } : part;
    });
    const isShown = parts.some(({ subtitles = [] }) => subtitles.length > 0);
    const hasTranscript = [...transcripts.values()].some((transcript) => transcript !== null);
    const found: (Warning | null)[] = isShown ? [missing] : [subtitlesNotShown(hasTranscript)];
    return { ...output, parts, warnings: [...(output.warnings ?? []), ...found.filter((warning) => warning !== null)] };
  });
  return { ...request, drawings: drawings.drawings, outputs };
}

function toLine({ rows, startSeconds, endSeconds }: Cue): SpokenLine {
  const text = rows.map((row) => oneLine(textOf(row))).join("\n");
  return { startSeconds, endSeconds, words: [{ text, startSeconds, endSeconds }] };
}

function oneLine(word: string): string {
  return word.replaceAll("\n", " ");
}

/** Returns a window on the clock of the source's subtitles. It counts from the source's first frame. */
export function onClockOf(source: RenderRequest["sources"][number]["probe"], window: Window | null): Window {
  const { offsetSeconds } = planFrames(source);
  const { startSeconds, endSeconds } = window ?? { startSeconds: 0, endSeconds: Infinity };
  return { startSeconds: startSeconds + offsetSeconds, endSeconds: endSeconds + offsetSeconds };
}

/** Where captions at their usual place leave room. */
function positionBesides({ drawings, settings }: Pick<RenderRequest, "drawings" | "settings">): "middle" | "bottom" {
  const { caption_position: position, caption_y: middle }: StreamSettings<"drawing"> = settings;
  const isLow = middle === null ? position === "bottom" : middle > 0.5;
  return isLow && drawings.some(({ kind }) => kind === "caption") ? "middle" : "bottom";
}
