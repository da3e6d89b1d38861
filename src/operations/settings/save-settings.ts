import type { z } from "zod";
import { type saveSettingsSchema, PREFERENCE_DEFAULTS, SERVICE_KEYS } from "#contract/settings/settings.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { saveTranscriptNames } from "../transcripts/transcript-names.ts";
import { saveGlossary } from "../translations/read-glossary.ts";
import { type PageRules, savePages, savePrefetchSources, saveSourceHosts } from "./read-settings.ts";
import { saveModelSettings } from "./model-access.ts";
import { saveServiceKey } from "./service-key.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

/**
 * All or nothing. Absent fields and "" keys stay unchanged, except that another address of a model server removes its
 * key; null removes. Throws ClipmillError "invalid", or "conflict" for the environment's settings.
 */
export async function saveSettings(
  context: Pick<Context, "db" | "secrets" | "hosts"> & ActorContext,
  given: z.output<typeof saveSettingsSchema>,
  pages: PageRules,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    // Before the keys: another address removes the saved key, but not a new one.
    const removed = await saveModelSettings(context, trx, given);
    for (const name of SERVICE_KEYS) {
      const key = given[name];
      if (key !== undefined && key !== "") await saveServiceKey({ db: trx, secrets: context.secrets }, name, key);
    }
    for (const name of Object.keys(PREFERENCE_DEFAULTS) as (keyof typeof PREFERENCE_DEFAULTS)[]) {
      const value = given[name];
      if (value === null) await removeSetting(trx, name);
      else if (value !== undefined) await writeSetting(trx, name, JSON.stringify(value));
    }
    await savePages(trx, given, pages);
    const { output_retention_days: days, source_hosts: hosts } = given;
    const confirmsRights = given.confirms_rights === true;
    if (hosts !== undefined) await saveSourceHosts({ db: trx, hosts: context.hosts }, hosts, { confirmsRights });
    if (days !== undefined) await writeSetting(trx, "output_retention_days", JSON.stringify(days));
    await savePrefetchSources(trx, given.prefetch_sources);
    await saveTranscriptNames(trx, given.transcript_names);
    await saveGlossary(trx, given.glossary);
    // Without values, which may be keys.
    const subjects = [...new Set([...Object.keys(given), ...removed])];
    if (subjects.length > 0) await writeAudit(trx, context.actor, { action: "settings.save", subjects });
  });
}
