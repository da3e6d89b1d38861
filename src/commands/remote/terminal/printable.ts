/** Control characters and bidirectional marks would move the cursor or change colors. */
// oxlint-disable-next-line no-control-regex -- they are what is removed
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

export function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "\uFFFD");
}

export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, " ").trim();
}
