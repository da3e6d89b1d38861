import { CLOAK_LIMITS } from "../cloak/cloak.ts";
import { fillPattern, type NameValues } from "../jobs/outputs/output-name.ts";

/** For the number added to a taken slug. */
const ROOM_FOR_NUMBER = 20;

/**
 * The pattern's slashes separate segments; slashes in values, spaces, punctuation and emoji become hyphens. No segment
 * starts or ends with punctuation, so none is `..`, `__root__` or `_clipmill`. Falls back to `fallback`, as a slug.
 */
export function linkSlug(pattern: string, values: NameValues, fallback: string): string {
  return toSlug(fillPattern(pattern, values, toSegment)) || toSlug(fallback) || "link";
}

export function slugOfFile(name: string): string {
  return toSlug(toSegment(name.replace(/\.mp4$/i, ""))) || "link";
}

/** Adds numbers from 2. */
export function* numbered(slug: string): Generator<string, never> {
  yield slug;
  for (let number = 2; ; number += 1) yield `${slug}-${number}`;
}

function toSlug(text: string): string {
  const slug = text
    .split("/")
    .map(toSegment)
    .filter((segment) => segment !== "")
    .join("/");
  return slug.slice(0, CLOAK_LIMITS.slugCharacters - ROOM_FOR_NUMBER).replace(/[\uD800-\uDBFF\p{P}~]+$/u, "");
}

/** Keeps what every app shows in a link: letters and digits of any script, and some punctuation between them. */
function toSegment(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^[-._~]+|[-._~]+$/g, "");
}
