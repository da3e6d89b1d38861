import type { Kysely } from "kysely";
import type { EmbeddedPages } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { problemOfPage, PAGE_SETTINGS, type PageSetting, variableOf } from "#contract/settings/embedded-pages.ts";
import {
  type JobPreferences,
  PREFERENCE_DEFAULTS,
  RIGHTS,
  saveSettingsSchema,
  type SettingsResponse,
} from "#contract/settings/settings.ts";
import { videoSiteLinks } from "#contract/sources/hosts/video-sites.ts";
import type { SourceHostName } from "#contract/sources/link-host.ts";
import type { Tables } from "#database/tables.ts";
import { findOnPath, isExecutable } from "#ground/find-program.ts";
import type { Context } from "../context.ts";
import { readTranscriptNames } from "../transcripts/transcript-names.ts";
import { readRetentionDays } from "../retention/read-retention-days.ts";
import { readAcceptedSources } from "../sources/prepare-sources.ts";
import { readGlossary } from "../translations/read-glossary.ts";
import { fixedModelSettings, readModelSettings } from "./model-access.ts";
import { readKeyState } from "./service-key.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

/** With defaults; keys only as their state. */
export async function readSettings(
  context: Pick<Context, "db" | "secrets" | "hosts"> & Pick<PageRules, "embeddedPages">,
): Promise<SettingsResponse> {
  const pages = await readPages(context.db, context);
  const saved = await readSavedPreferences(context);
  const accepted = await readAcceptedSources(context);
  return {
    google_drive_key: await readKeyState(context, "google_drive_key"),
    openai_key: await readKeyState(context, "openai_key"),
    text_key: await readKeyState(context, "text_key"),
    vision_key: await readKeyState(context, "vision_key"),
    transcription_key: await readKeyState(context, "transcription_key"),
    ...PREFERENCE_DEFAULTS,
    ...saved,
    batch_scheduler_url: pages.batchScheduler,
    warmup_robot_url: pages.warmupRobot,
    ...(await readModelSettings(context)),
    can_transcribe: accepted.canTranscribe === true,
    fixed_settings: [...fixedPages(context), ...fixedModelSettings(context)],
    source_hosts: [...accepted.hosts],
    private_sources: [...accepted.privateSources],
    output_retention_days: await readRetentionDays(context),
    glossary: await readGlossary(context.db),
    prefetch_sources: await readPrefetchSources(context),
    transcript_names: await readTranscriptNames(context),
    saved_defaults: Object.keys(saved) as (keyof JobPreferences)[],
  };
}

async function readSavedPreferences(context: Pick<Context, "db">): Promise<Partial<JobPreferences>> {
  const names = Object.keys(PREFERENCE_DEFAULTS);
  const rows = await context.db.selectFrom("settings").select(["name", "value"]).where("name", "in", names).execute();
  const saved = Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value) as unknown]));
  // Saving null removes the row, so none is null.
  return saveSettingsSchema.parse(saved) as Partial<JobPreferences>;
}

// The environment's addresses take precedence over saved ones.

export type PageRules = { embeddedPages: EmbeddedPages; ownOrigins: readonly string[] };

const SETTINGS = Object.keys(PAGE_SETTINGS) as PageSetting[];

/** Null for a page set nowhere. */
export async function readPages(
  db: Kysely<Tables>,
  { embeddedPages }: Pick<PageRules, "embeddedPages">,
): Promise<EmbeddedPages> {
  const rows = await db.selectFrom("settings").select(["name", "value"]).where("name", "in", SETTINGS).execute();
  const saved = new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as string]));
  const addressOf = (setting: PageSetting) => embeddedPages[PAGE_SETTINGS[setting]] ?? saved.get(setting) ?? null;
  return { batchScheduler: addressOf("batch_scheduler_url"), warmupRobot: addressOf("warmup_robot_url") };
}

function fixedPages({ embeddedPages }: Pick<PageRules, "embeddedPages">): PageSetting[] {
  return SETTINGS.filter((setting) => embeddedPages[PAGE_SETTINGS[setting]] !== null);
}

/** Null and "" remove an address. Throws ClipmillError "invalid", or "conflict" for one set by the environment. */
export async function savePages(
  trx: Kysely<Tables>,
  given: Partial<Record<PageSetting, string | null | undefined>>,
  rules: PageRules,
): Promise<void> {
  const fixed = fixedPages(rules);
  for (const setting of SETTINGS) {
    const address = given[setting];
    if (address === undefined) continue;
    if (fixed.includes(setting)) {
      throw new ClipmillError(
        "conflict",
        `${variableOf(setting)} in the server's environment sets this address. Change it there.`,
      );
    }
    if (address === null || address === "") {
      await removeSetting(trx, setting);
      continue;
    }
    const problem = problemOfPage(address, (origin) => rules.ownOrigins.includes(origin));
    if (problem !== null) throw new ClipmillError("invalid", `${setting} ${problem}.`);
    await writeSetting(trx, setting, JSON.stringify(address));
  }
}

// Sources are fetched before their videos start. On by default.

const NAME = "prefetch_sources";

export async function readPrefetchSources({ db }: Pick<Context, "db">): Promise<boolean> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row?.value !== "false";
}

/** Null restores the default; undefined changes nothing. */
export async function savePrefetchSources(db: Kysely<Tables>, isOn: boolean | null | undefined): Promise<void> {
  if (isOn === null) await removeSetting(db, NAME);
  else if (isOn !== undefined) await writeSetting(db, NAME, JSON.stringify(isOn));
}

/**
 * Null turns all off. Throws ClipmillError "invalid" if video sites are newly turned on without yt-dlp or a
 * confirmation of rights.
 */
export async function saveSourceHosts(
  context: Pick<Context, "db" | "hosts">,
  hosts: readonly SourceHostName[] | null,
  { confirmsRights }: { confirmsRights: boolean },
): Promise<void> {
  if (hosts === null) return void (await removeSetting(context.db, "source_hosts"));
  const { name } = videoSiteLinks;
  const isNew = hosts.includes(name) && !(await readAcceptedSources(context)).hosts.includes(name);
  if (isNew && !hasYtDlp(context)) {
    throw new ClipmillError("invalid", "Install yt-dlp on this server first, or set YT_DLP_PATH to its path.");
  }
  if (isNew && !confirmsRights) throw new ClipmillError("invalid", `Confirm this first: ${RIGHTS}`);
  await writeSetting(context.db, "source_hosts", JSON.stringify([...new Set(hosts)]));
}

function hasYtDlp({ hosts: { ytDlpPath } }: Pick<Context, "hosts">): boolean {
  return ytDlpPath === null ? findOnPath("yt-dlp") !== null : isExecutable(ytDlpPath);
}
