import type { SettingsResponse, TranscriptionSetting } from "#contract/settings/settings.ts";
import type { SettingsChange } from "../../../api/functions/settings/settings.ts";

export type TranscriptionForm = Record<TranscriptionSetting | "names", string>;

type Names = SettingsResponse["transcript_names"];

const ARROW = "->";

export function toForm(settings: SettingsResponse): TranscriptionForm {
  return {
    transcription_base_url: settings.transcription_base_url ?? "",
    transcription_model: settings.transcription_model ?? "",
    names: writeNames(settings.transcript_names),
  };
}

export function toChange(typed: TranscriptionForm, edited: ReadonlySet<string>): SettingsChange {
  const { names, ...texts } = typed;
  const changed = Object.entries(texts).filter(([name]) => edited.has(name));
  return {
    ...Object.fromEntries(changed.map(([name, text]) => [name, text.trim() || null])),
    ...(edited.has("names") && { transcript_names: readNames(names) }),
  };
}

/** One per line: `clip mill -> Clipmill`, or only `Clipmill`. */
export function readNames(text: string): Names {
  return text.split("\n").flatMap((line): Names => {
    const [first = "", ...rest] = line.split(ARROW).map((part) => part.trim());
    const to = rest.join(ARROW).trim();
    if (first === "" && to === "") return [];
    if (rest.length === 0) return [{ to: first }];
    return [first === "" ? { to } : { from: first, to }];
  });
}

function writeNames(names: Names): string {
  return names.map(({ from, to }) => (from === undefined ? to : `${from} ${ARROW} ${to}`)).join("\n");
}

/** The server's rules. */
export function explainNames(text: string): true | string {
  const unfinished = readNames(text).find(({ to }) => to === "");
  return unfinished ? `Enter how "${unfinished.from}" is written, after ${ARROW}.` : true;
}

export function explainAddress(text: string): true | string {
  return /^(?:https:\/\/[^\s?#]+)?$/i.test(text.trim()) || "The address must start with https://.";
}
