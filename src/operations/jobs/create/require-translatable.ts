import { setImmediate as nextTurn } from "node:timers/promises";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { type Languages, settingsOfVideo, withSwitches } from "#contract/jobs/video-settings.ts";
import { nameOfLanguage } from "#contract/jobs/outputs/languages.ts";
import { drawsLanguage } from "#media/captions/fonts/draws-language.ts";
import type { Context } from "../../context.ts";
import { canUseModel } from "../../settings/model-access.ts";
import { errorOf } from "./snapshot-sets.ts";

/** Throws ClipmillError "invalid" for a language that no font draws, or without a model to translate. */
export async function requireTranslatable(
  context: Pick<Context, "db" | "hosts">,
  job: Languages & Pick<JobSettings, "rows">,
): Promise<void> {
  const all = [job, ...job.rows.map(({ settings }) => settingsOfVideo<Languages>(job, withSwitches(settings ?? {})))];
  const captions = all.flatMap(({ languages }) => languages);
  const subtitles = all.flatMap((one) => (one.subtitles_enabled ? one.subtitle_languages : []));
  await requireDrawable("Captions", captions);
  await requireDrawable("Subtitles", subtitles);
  const nouns = [...(captions.length > 0 ? ["captions"] : []), ...(subtitles.length > 0 ? ["subtitles"] : [])];
  if (nouns.length === 0 || (await canUseModel(context, "text"))) return;
  const description = `OpenAI translates ${nouns.join(" and ")}, but no API key is saved. Enter your OpenAI API key in settings.`;
  throw errorOf({ title: "OpenAI Key Required", description });
}

async function requireDrawable(what: string, tags: readonly string[]): Promise<void> {
  for (const tag of new Set(tags)) {
    // Reading a font takes up to 100 ms.
    await nextTurn();
    if (drawsLanguage(tag)) continue;
    const name = nameOfLanguage(tag);
    const language = name === tag ? tag : `${name} (${tag})`;
    const description = `${what} cannot be drawn in ${language}: no installed font supports its script.`;
    throw errorOf({ title: "Language Not Available", description });
  }
}
