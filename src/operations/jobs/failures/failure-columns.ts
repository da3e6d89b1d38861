import { type Failure, type FailureColumns, MAX_TAIL_BYTES } from "#contract/jobs/failures.ts";
import { lastLines } from "#contract/last-lines.ts";

export const NO_FAILURE: FailureColumns = {
  error_message: null,
  error_code: null,
  error_step: null,
  error_tail: null,
};

export function failureColumns({ code, step, message, tail }: Failure): FailureColumns {
  return { error_message: message, error_code: code, error_step: step, error_tail: cleanTail(tail) };
}

// Makes output of ffmpeg or a host safe to store, show and paste into a ticket. Pure.

/** Cut before cleaning: some expressions are quadratic in a word's length. */
const MAX_CHARACTERS = 2 * MAX_TAIL_BYTES;

// oxlint-disable-next-line no-control-regex -- terminal sequences start with a control character
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** Includes invisible characters, which could split a word. */
const INVISIBLE = /[^\P{Cc}\t\n]|\p{Cf}/gu;

const LINK = /\b[a-z][a-z0-9+.-]*(?::\/\/|%3a%2f%2f)\S*/gi;
/** The rest of a link from the previous line, or without a scheme. */
const QUERY = /[?&;][\w.%~[\]-]+=[^\s"'<>]*(?:&[^\s"'<>]*)*/g;

const PRIVATE_KEY = /-----BEGIN [^-\n]*-----[\s\S]*?(?:-----END [^-\n]*-----|$)/g;
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)\b["']?\s*[:=].*/gi;
const SCHEME = /\b(bearer|basic|aws4-hmac-sha256)\s+\S+/gi;
const SECRET_NAME = "[\\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key";
const NAMED_SECRET = new RegExp(
  `(${SECRET_NAME}|signature|credential)[\\w.-]*|\\b(?:sig|auth|key|pwd|pass))(["']?\\s*[:=]\\s*)("[^"\\n]*"?|'[^'\\n]*'?|[^\\s,;&}]+)`,
  "gi",
);
const NAME_AND_PASSWORD = /[^\s:@/"']+:[^\s@/]+@[\w.-]+/g;
const KNOWN_TOKENS =
  /\b(?:A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|sk-[\w-]{16,}|gh[oprsu]_\w{20,}|ya29\.[\w-]+|eyJ[\w-]{8,}(?:\.[\w-]*)*)/g;
/** Long, with letters and digits: probably an id or a key. */
const OPAQUE = /(?<![\w+/=-])(?=[\w+/=-]*[a-z])(?=[\w+/=-]*\d)[\w+/=-]{32,}/gi;

/** Extends to the line's last separator, because folders may contain spaces and quotes; captures the file name. */
const PATH =
  /(?<![\p{L}\p{N}_.%\]])(?:~?\/(?=[^\s/])|\/{2,}|[a-z]:[\\/]|\\\\(?=[\w.?]))(?:[^\n]*[\\/])?([^\s\\/'"`:,;()[\]<>]*)/giu;
const ENCODED_PATH = /(?:%2f|%5c)\S*/gi;
const FILE_NAME = /^[\p{L}\p{N}_%-]+(?:\.[a-z0-9]{1,5}){1,2}$/iu;

/** Returns the last 4 kB without paths, links, query strings and secrets; null if nothing is left. */
export function cleanTail(tail: string | null): string | null {
  if (tail === null) return null;
  const cleaned = lastLines(tail.replaceAll(/\r\n?/g, "\n"), MAX_CHARACTERS)
    .toWellFormed()
    .replaceAll(TERMINAL_SEQUENCE, "")
    .replaceAll(INVISIBLE, "")
    .replaceAll(PRIVATE_KEY, "[secret]")
    .replaceAll(LINK, "[link]")
    .replaceAll(HEADER, "$1: [secret]")
    .replaceAll(SCHEME, "$1 [secret]")
    .replaceAll(NAMED_SECRET, "$1$2[secret]")
    .replaceAll(NAME_AND_PASSWORD, "[secret]")
    .replaceAll(QUERY, "[query]")
    .replaceAll(KNOWN_TOKENS, "[secret]")
    .replaceAll(PATH, (_path, name: string) => (FILE_NAME.test(name) ? `[path]/${name}` : "[path]"))
    .replaceAll(ENCODED_PATH, "[path]")
    .replaceAll(OPAQUE, "[secret]");
  return lastBytes(cleaned.trim(), MAX_TAIL_BYTES).trim() || null;
}

/** Starts at a line, if there is one. */
function lastBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let start = bytes.length - most;
  const isLineStart = bytes[start - 1] === 0x0a;
  while ((bytes[start]! & 0xc0) === 0x80) start += 1;
  const end = bytes.toString("utf8", start);
  return isLineStart ? end : end.slice(end.indexOf("\n") + 1);
}
