/** The addresses of the pages that Batch Scheduler and Warmup Robot show: from the environment, else as they were saved. */
import { type Kysely } from "kysely";
import type { EmbeddedPages } from "#contract/calls.ts";
import { faultOfPage, PAGE_SETTINGS, type PageSetting, variableOf } from "#contract/embedded-pages.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

/** What the server was started with: the addresses that win, and the origins that are its own. */
export type PageRules = { embeddedPages: EmbeddedPages; ownOrigins: readonly string[] };

const SETTINGS = Object.keys(PAGE_SETTINGS) as PageSetting[];

export async function readPages(
  db: Kysely<Tables>,
  { embeddedPages }: Pick<PageRules, "embeddedPages">,
): Promise<EmbeddedPages> {
  const rows = await db.selectFrom("settings").select(["name", "value"]).where("name", "in", SETTINGS).execute();
  const saved = new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as string]));
  const addressOf = (setting: PageSetting) => embeddedPages[PAGE_SETTINGS[setting]] ?? saved.get(setting) ?? null;
  return { batchScheduler: addressOf("batch_scheduler_url"), warmupRobot: addressOf("warmup_robot_url") };
}

/** The settings that the environment holds. */
export function fixedPages({ embeddedPages }: Pick<PageRules, "embeddedPages">): PageSetting[] {
  return SETTINGS.filter((setting) => embeddedPages[PAGE_SETTINGS[setting]] !== null);
}

/**
 * Saves the addresses that are given; null and "" remove one. Throws ClipmillError "conflict" for one that the environment sets,
 * and "invalid".
 */
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
