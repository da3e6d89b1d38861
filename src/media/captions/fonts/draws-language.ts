import { scriptOfLanguage } from "#contract/jobs/outputs/languages.ts";
import { findMissing } from "./drawable-text.ts";

/** Unicode scripts of ISO 15924 codes that combine several. */
const MAIN_SCRIPTS: Readonly<Record<string, string>> = { Hans: "Han", Hant: "Han", Jpan: "Hiragana", Kore: "Hangul" };
const LAST_LETTER = 0x1_ff_ff;
/** A font may lack a script's historical letters. */
const LETTERS_TRIED = 40;

const known = new Map<string, boolean>();

/** Whether the installed fonts have the letters of the language's script. False for an unknown language. */
export function drawsLanguage(tag: string): boolean {
  const script = scriptOfLanguage(tag);
  if (script === null) return false;
  const isDrawn = known.get(script) ?? drawsScript(MAIN_SCRIPTS[script] ?? script);
  known.set(script, isDrawn);
  return isDrawn;
}

function drawsScript(script: string): boolean {
  const letters = lettersOf(script);
  const missing = findMissing(letters)?.texts ?? 0;
  return letters.length > 0 && missing <= letters.length / 2;
}

function lettersOf(script: string): string[] {
  const isLetter = letterTest(script);
  const letters: string[] = [];
  for (let code = 0x41; code <= LAST_LETTER && letters.length < LETTERS_TRIED; code++) {
    const letter = String.fromCodePoint(code);
    if (isLetter?.test(letter)) letters.push(letter);
  }
  return letters;
}

/** Null for a code that is no script of Unicode. */
function letterTest(script: string): RegExp | null {
  try {
    return new RegExp(`(?=\\p{L})\\p{Script=${script}}`, "u");
  } catch {
    return null;
  }
}
