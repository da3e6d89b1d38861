import { setTimeout as delay } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import { nameOfLanguage } from "#contract/jobs/outputs/languages.ts";
import type { ChatAccess } from "#integrations/openai/openai.ts";
import type { Translation } from "#integrations/openai/openai-translations.ts";
import { requireCaptionModel } from "../captions/generate-captions.ts";
import type { Context } from "../context.ts";
import type { Contact } from "../hosts/contact-host.ts";
import { type ModelHost, nameOfServer, readModelSettings } from "../settings/model-access.ts";
import {
  cleanTranslation,
  type Judged,
  judgeTranslation,
  type Original,
  type RequiredTerm,
  termsIn,
} from "./judge-translation.ts";
import { openClaim, readTranslations, translationKey } from "./kept-translations.ts";
import { readGlossary } from "./read-glossary.ts";
import { type Around, type TextToTranslate, translationPrompt } from "./translation-prompt.ts";

/** Per request to the model. */
const MOST_TEXTS = 40;
const MOST_CHARACTERS = 6_000;
/** A translation that is only too long is requested once more. */
const MOST_ROUNDS = 3;
const ROUNDS_FOR_LENGTH = 2;
/** Interval between checks for another worker's translations. */
const WAIT_MS = 500;

export type TranslationTools = {
  /** Widths in shares of the font size, of a row of captions and of the texts. */
  measure: (texts: readonly string[]) => Promise<{ rowWidth: number; widths: readonly number[] }>;
  contact: Contact;
  signal: AbortSignal;
};

export type TextsToTranslate = {
  texts: readonly string[];
  /** Other texts that will be needed, for requests with room. */
  ahead?: readonly string[];
  /** Of subtitles: the texts and what is said around them, in order. An empty one separates. */
  speech?: readonly string[];
  language: string;
};

type TextAccess = ChatAccess & { host: ModelHost };

type Wanted = Around & { key: string; text: string; terms: readonly RequiredTerm[] };

/**
 * Returns the translations of `texts` by text. Those that are known are not translated again, whatever is said around
 * them. Waits for translations that another worker makes. Throws ClipmillError "invalid" without a key or if the model
 * rejects the request, "unavailable" and others if it fails, HostCoolsDown while it is down.
 */
export async function translateTexts(
  context: Pick<Context, "db" | "secrets" | "openAi" | "hosts">,
  { texts, ahead = [], speech, language }: TextsToTranslate,
  tools: TranslationTools,
): Promise<Map<string, string>> {
  const { db, openAi } = context;
  const model = (await readModelSettings(context)).text_model ?? openAi.model;
  const isSpeech = speech !== undefined;
  const glossary = await readGlossary(db);
  const around = aroundTexts(speech ?? []);
  const toWanted = (text: string): Wanted => {
    const terms = termsIn(text, glossary, language);
    return { text, terms, key: translationKey(text, { language, model, terms }), ...around.get(text) };
  };
  const needed = [...new Set(texts)].map(toWanted);
  let later = [...new Set(ahead)].slice(0, MOST_TEXTS).map(toWanted);
  for (;;) {
    tools.signal.throwIfAborted();
    const known = await readTranslations(
      db,
      needed.map(({ key }) => key),
    );
    const missing = needed.filter(({ key }) => !known.has(key));
    if (missing.length === 0) return new Map(needed.map(({ key, text }) => [text, known.get(key)!]));
    const access = await requireCaptionModel(context, "text");
    await using claim = openClaim(db, language);
    const own = await claim.take(thatFit(missing));
    if (own.length === 0) await delay(WAIT_MS, undefined, { signal: tools.signal });
    else {
      own.push(...(await claim.take(thatFit(later, own))));
      const failed = await translateBatch(access, own, { language, tools, keep: claim.keep, isSpeech });
      const fatal = missing.find(({ key }) => failed.has(key));
      if (fatal) throw unusable(access, language, { count: failed.size, isSpeech });
      later = later.filter(({ key }) => !failed.has(key));
    }
  }
}

/** The first texts that fit into a request with `others`. */
function thatFit(texts: readonly Wanted[], others: readonly Wanted[] = []): Wanted[] {
  let count = others.length;
  let characters = others.reduce((sum, { text }) => sum + text.length, 0);
  const end = texts.findIndex(({ text }) => {
    characters += text.length;
    return ++count > MOST_TEXTS || (count > 1 && characters > MOST_CHARACTERS);
  });
  return end < 0 ? [...texts] : texts.slice(0, end);
}

type Open = Wanted & Original & { best: Judged | null; last: Judged | null };

/** Stores each translation as soon as it is good. Returns the keys of texts without a usable one. */
async function translateBatch(
  access: TextAccess,
  texts: readonly Wanted[],
  how: {
    language: string;
    tools: TranslationTools;
    keep: (made: ReadonlyMap<string, string>) => Promise<void>;
    isSpeech: boolean;
  },
): Promise<ReadonlySet<string>> {
  const { tools, keep } = how;
  const { rowWidth, widths } = await tools.measure(texts.map(({ text }) => text));
  let open = texts.map((wanted, i): Open => ({ ...wanted, width: widths[i]!, best: null, last: null }));
  for (let round = 1; round <= MOST_ROUNDS && open.length > 0; round++) {
    const found = await askFor(access, open, how);
    const cleaned = open.map(({ text }, i) => cleanTranslation(found[i] ?? "", text));
    const measured = await tools.measure(cleaned);
    const made = new Map<string, string>();
    open = open.flatMap((one, i) => {
      const last = judgeTranslation(one, cleaned[i]!, measured.widths[i]!, rowWidth);
      const best = last.isUsable && (one.best === null || last.width < one.best.width) ? last : one.best;
      if (last.fault !== null && (best === null || round < ROUNDS_FOR_LENGTH)) return [{ ...one, best, last }];
      made.set(one.key, last.fault === null ? last.text : best!.text);
      return [];
    });
    await keep(made);
  }
  return new Set(open.map(({ key }) => key));
}

/** Returns a translation per text, in their order; undefined for one that the model left out. */
async function askFor(
  access: TextAccess,
  texts: readonly Open[],
  { language, tools, isSpeech }: { language: string; tools: TranslationTools; isSpeech: boolean },
): Promise<(string | undefined)[]> {
  const { requestTranslations } = await import("#integrations/openai/openai-translations.ts");
  const prompt = translationPrompt(texts.map(toPrompt), { language, isSpeech });
  const { translations } = await tools.contact(access.host, async (onResponse) => {
    const response = await requestTranslations(access, prompt, tools.signal);
    onResponse();
    return response;
  });
  return byPlace(texts.length, translations);
}

/** The texts of a request are each other's context. */
function toPrompt({ text, terms, last, before, after }: Open, i: number, all: readonly Open[]): TextToTranslate {
  return {
    text,
    terms,
    ...(before && before !== all[i - 1]?.text && { before }),
    ...(after && after !== all[i + 1]?.text && { after }),
    ...(last?.fault && { rejected: { text: last.text, fault: last.fault } }),
  };
}

/** Of a text that is said more than once, the first time counts. */
function aroundTexts(speech: readonly string[]): Map<string, Around> {
  const around = new Map<string, Around>();
  for (const [i, text] of speech.entries()) {
    if (!around.has(text)) around.set(text, { before: speech[i - 1] ?? "", after: speech[i + 1] ?? "" });
  }
  return around;
}

/** Ignores unknown ids, and all translations of an id that has several. */
function byPlace(count: number, translations: readonly Translation[]): (string | undefined)[] {
  const found = new Map<number, string[]>();
  for (const { id, text } of translations) found.set(id, [...(found.get(id) ?? []), text]);
  return Array.from({ length: count }, (_, i) => {
    const own = found.get(i + 1) ?? [];
    return own.length === 1 ? own[0] : undefined;
  });
}

function unusable(
  access: ChatAccess,
  language: string,
  { count, isSpeech }: { count: number; isSpeech: boolean },
): ClipmillError {
  const noun = isSpeech ? "subtitle" : "caption";
  const texts = count === 1 ? `a ${noun}` : `${count} ${noun}s`;
  const sentence = `${nameOfServer(access)} returned no usable translation of ${texts} into ${nameOfLanguage(language)}. Try again, or change the ${noun}s or the glossary.`;
  return new ClipmillError("unavailable", sentence, { facts: { language, count } });
}
