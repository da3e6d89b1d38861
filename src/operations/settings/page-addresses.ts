/** The environment's addresses take precedence over saved ones. */
import { type Kysely } from "kysely";
import type { EmbeddedPages } from "#contract/calls.ts";
import { faultOfPage, PAGE_SETTINGS, type PageSetting, variableOf } from "#contract/settings/embedded-pages.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

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

export function fixedPages({ embeddedPages }: Pick<PageRules, "embeddedPages">): PageSetting[] {
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
    const fault = faultOfPage(address, (origin) => rules.ownOrigins.includes(origin));
    if (fault !== null) throw new ClipmillError("invalid", `${setting} ${fault}.`);
    await writeSetting(trx, setting, JSON.stringify(address));
  }
}
