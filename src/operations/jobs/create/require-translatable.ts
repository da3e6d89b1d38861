import { setImmediate as nextTurn } from "node:timers/promises";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { nameOfLanguage } from "#contract/jobs/outputs/languages.ts";
import { drawsLanguage } from "#media/captions/fonts/draws-language.ts";
import type { Context } from "../../context.ts";
import { canUseModel } from "../../settings/model-access.ts";
import { errorOf } from "./snapshot-sets.ts";

/** Throws ClipmillError "invalid" for a language that no font draws, or without a model to translate. */
export async function requireTranslatable(
  context: Pick<Context, "db" | "hosts">,
  { languages, rows }: Pick<JobSettings, "languages" | "rows">,
): Promise<void> {
  const all = new Set([...languages, ...rows.flatMap(({ settings }) => settings?.languages ?? [])]);
  if (all.size === 0) return;
  for (const tag of all) {
    // Reading a font takes up to 100 ms.
    await nextTurn();
    if (drawsLanguage(tag)) continue;
    const name = nameOfLanguage(tag);
    const language = name === tag ? tag : `${name} (${tag})`;
    const description = `Captions cannot be drawn in ${language}: no installed font supports its script.`;
    throw errorOf({ title: "Language Not Available", description });
  }
  if (await canUseModel(context, "text")) return;
  const description = "OpenAI translates captions, but no API key is saved. Enter your OpenAI API key in settings.";
  throw errorOf({ title: "OpenAI Key Required", description });
}
