/** `0:01:02.5`, `01:02,500`, `100:00:00,000`, `00:00:01:500`; with a sign, spaces and any number of decimals. */
const TIME = String.raw`(-)?\s?(?:(\d{1,4})\s?:\s?)?(\d{1,3})\s?:\s?(\d{1,2})(?:\s?[.,:]\s?(\d{1,9}))?`;
const WHOLE_TIME = new RegExp(`^\\s*${TIME}\\s*$`);
const RANGE = new RegExp(`^\\s*${TIME}\\s*-{1,3}>\\s*${TIME}(?=\\s|$)`);

/** Full-width digits and punctuation, dashes and arrows, as typed on East Asian keyboards or by word processors. */
const OTHER_SIGNS = /[０-９：，．－＞–—→]/;

export type TimeRange = { startSeconds: number; endSeconds: number };

/** Returns null for other texts. */
export function readTime(text: string): number | null {
  const found = WHOLE_TIME.exec(toPlain(text));
  return found && secondsOf(found.slice(1));
}

/** Reads `00:00:01,000 --> 00:00:02,000`, with anything after it. Returns null for other lines. */
export function readTimeRange(line: string): TimeRange | null {
  const found = RANGE.exec(toPlain(line));
  return found && { startSeconds: secondsOf(found.slice(1, 6)), endSeconds: secondsOf(found.slice(6, 11)) };
}

/** Cuts off what lies before the video's start. Returns null if nothing is left; an end before the start is an error. */
export function withinVideo(startSeconds: number, endSeconds: number): TimeRange | null {
  return endSeconds <= 0 && startSeconds <= endSeconds ? null : { startSeconds: Math.max(0, startSeconds), endSeconds };
}

function toPlain(text: string): string {
  return OTHER_SIGNS.test(text)
    ? text
        .normalize("NFKC")
        .replaceAll(/[–—]/g, "-")
        .replaceAll("→", "-->")
    : text;
}

function secondsOf([sign, hours = "0", minutes, seconds, decimals = "0"]: (string | undefined)[]): number {
  const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  const time = Math.round((whole + Number(`0.${decimals}`)) * 1_000) / 1_000;
  return sign === undefined ? time : -time;
}
