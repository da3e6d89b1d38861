/** `1.5`, `1,5`, `-14`. A comma before three digits may mean thousands, unless the number starts with 0. */
const NUMBER = /^-?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
const MAYBE_THOUSANDS = /^-?[1-9]\d{0,2},\d{3}$/;
/** `1:02.5` or `1:02:03`. */
const TIME = /^(?:(\d+):)?(\d+):(\d{1,2}(?:[.,]\d+)?)$/;

/** Accepts a decimal point or comma; returns null for other and ambiguous texts. */
export function readNumber(text: string): number | null {
  const written = text.trim().replace("\u2212", "-");
  if (!NUMBER.test(written) || MAYBE_THOUSANDS.test(written)) return null;
  return Number(written.replace(",", "."));
}

/** Reads `0.7`, `0,7` or `70%`; returns null for other texts. */
export function readShare(text: string): number | null {
  const percent = /^(.*\S)\s*%$/.exec(text.trim())?.[1];
  const number = readNumber(percent ?? text);
  return number === null || percent === undefined ? number : number / 100;
}

/** Reads `7`, `7.5 s`, `0:07`, `1:02.5` or `1:02:03`; returns null for other texts. */
export function readSeconds(text: string): number | null {
  const time = TIME.exec(text.trim());
  if (!time) return readNumber(text.replace(/\s*(?:s|sec|seconds)\s*$/i, ""));
  const [hours, minutes, seconds] = [time[1] ?? "0", time[2]!, time[3]!.replace(",", ".")].map(Number) as [
    number,
    number,
    number,
  ];
  const isTime = seconds < 60 && (time[1] === undefined || minutes < 60);
  // Rounded to milliseconds: 60 + 2.3 is slightly below 62.3.
  return isTime ? Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000) / 1_000 : null;
}
