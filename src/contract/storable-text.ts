import { ClipmillError } from "./errors.ts";

/** JSON can have these characters only as escapes. */
const ESCAPED = /\\u(?:0000|d[89a-f])/i;
/** Other names are not repeated in an error. */
const PLAIN_NAME = /^[\p{L}\p{N}\p{P}\p{Zs}]{1,60}$/u;

/** `json` is the text of `value`. Throws like `requireStorable`. */
export function requireStorableJson(json: string, value: unknown): void {
  if (ESCAPED.test(json)) requireStorable(value);
}

/** `name` is null for the whole request. */
type Field = { parent: Field | null; name: string | null };

/**
 * Throws ClipmillError "invalid" that names the field and the character if a text, or a field's name, contains NUL,
 * which PostgreSQL cannot store, or half of a surrogate pair, which UTF-8 cannot encode.
 */
export function requireStorable(value: unknown): void {
  const waiting: { field: Field; value: object }[] = [];
  const visit = (field: Field, inner: unknown): void => {
    if (typeof inner === "string") requireText(inner, field, "");
    else if (typeof inner === "object" && inner !== null) waiting.push({ field, value: inner });
  };
  visit({ parent: null, name: null }, value);
  // Without recursion, as requests can be deeply nested.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const isList = Array.isArray(next.value);
    for (const [name, inner] of Object.entries(next.value)) {
      if (!isList) requireText(name, next.field, " from the name of a field");
      visit({ parent: next.field, name }, inner);
    }
  }
}

function requireText(text: string, field: Field, place: string): void {
  if (text.isWellFormed() && !text.includes("\0")) return;
  const { 0: character, index } = /\0|\p{Cs}/u.exec(text)!;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const kind = character === "\0" ? "NUL" : "half of a surrogate pair";
  const position = (index + 1).toLocaleString("en");
  throw new ClipmillError(
    "invalid",
    `${describe(field)}: Remove character ${position}${place} (U+${code}, ${kind}). It cannot be stored.`,
  );
}

function describe(field: Field): string {
  const names: string[] = [];
  for (let { parent, name } = field; name !== null; { parent, name } = parent!) {
    names.unshift(PLAIN_NAME.test(name) ? name : "…");
  }
  return names.join(".") || "The request";
}

export function utf8Bytes(texts: readonly string[]): number {
  const encoder = new TextEncoder();
  return texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);
}
