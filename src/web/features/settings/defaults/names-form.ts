import type { SettingsResponse } from "#contract/settings/settings.ts";

type Names = SettingsResponse["transcript_names"];

const ARROW = "->";

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

export function writeNames(names: Names): string {
  return names.map(({ from, to }) => (from === undefined ? to : `${from} ${ARROW} ${to}`)).join("\n");
}

/** The server's rules. */
export function explainNames(text: string): true | string {
  const unfinished = readNames(text).find(({ to }) => to === "");
  return unfinished ? `Enter how "${unfinished.from}" is written, after ${ARROW}.` : true;
}
