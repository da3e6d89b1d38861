import { CLOAK_LIMITS, isWebAddress } from "../cloak/cloak.ts";
import { fillPattern, type NameValues } from "../jobs/outputs/output-name.ts";

/** A whole address or its beginning, such as `{row.url}`. `{{` is a brace. */
const FIRST_FIELD = /^\{(?!\{)[^{}]*\}/;

export function firstField(pattern: string): string {
  return FIRST_FIELD.exec(pattern)?.[0] ?? "";
}

/**
 * Returns an output's target, or null if it is no web address of at most 2,000 characters. A field at the start is
 * inserted unchanged; others are percent-encoded, so no value can change the host or add a parameter.
 */
export function linkTarget(pattern: string, utm: string | null, values: NameValues): string | null {
  const first = firstField(pattern);
  const address = fillPattern(first, values) + fillPattern(pattern.slice(first.length), values, encode);
  const fields = readUtm(utm ?? "").map(({ name, pattern }) => ({ name, value: fillPattern(pattern, values).trim() }));
  const whole = withUtm(address, fields);
  return whole.length <= CLOAK_LIMITS.urlCharacters && isWebAddress(whole) ? whole : null;
}

type UtmField = { name: string; pattern: string };

/** Reads `utm_source=a&utm_medium=b`, percent-encoded or not. Never throws. */
export function readUtm(text: string): UtmField[] {
  return text
    .replace(/^\s*[?&]/, "")
    .split("&")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const mark = part.indexOf("=");
      const [name, pattern] = mark === -1 ? [part, ""] : [part.slice(0, mark), part.slice(mark + 1)];
      return { name: decode(name).trim().toLowerCase(), pattern: decode(pattern) };
    });
}

/**
 * Adds nonempty fields before the fragment. They replace parameters of the same name, ignoring case; the others keep
 * their spelling and order.
 */
function withUtm(address: string, all: readonly { name: string; value: string }[]): string {
  const fields = all.filter(({ value }) => value !== "");
  if (fields.length === 0) return address;
  const [, base = "", query = "", fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  const names = new Set(fields.map(({ name }) => name));
  const kept = query.split("&").filter((part) => part !== "" && !names.has(nameOf(part)));
  const added = fields.map(({ name, value }) => `${encode(name)}=${encode(value)}`);
  return `${base}?${[...kept, ...added].join("&")}${fragment}`;
}

function nameOf(parameter: string): string {
  return decode(parameter.split("=", 1)[0]!).toLowerCase();
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
