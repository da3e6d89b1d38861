import type { Kysely, Transaction } from "kysely";
import type { PublishResult } from "#contract/cloak/cloak.ts";
import {
  linesOf,
  parseRouteLine,
  PUBLISH_LIMITS,
  type PublishedHeader,
  type PublishedRoute,
  type PublishReceipt,
  type RedirectorReport,
  writeRouteLines,
} from "#contract/cloak/published-config.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { sha256Of } from "#ground/checksum.ts";
import { type PublishTarget, requestReport, sendDocument } from "#integrations/redirector.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { today } from "../read-cloak-state.ts";
import { checkPublishable } from "./check-publishable.ts";
import { readCloakChanges } from "./count-changes.ts";
import { selectPublishedRoutes } from "./select-published-routes.ts";
import { deleteVersion, lockVersions, recordAcceptedVersion, settleVersions } from "./settle-versions.ts";

/** Publishes the tables, or an earlier version's content, under a new number. Returns an error as a sentence. */
export async function publishConfig(
  context: Context & ActorContext,
  settings: RedirectorSettings,
  earlierVersion: number | null,
): Promise<PublishResult> {
  try {
    const target = requireTarget(settings);
    // Requested first, to find a wrong token or address before writing anything.
    const report = await requestReport(target, today());
    // Checked without a lock, because requests to the redirector follow.
    const checked =
      earlierVersion === null ? await readTables(context.db) : await readVersion(context.db, earlierVersion);
    await checkPublishable(checked.routes);
    const draft = await context.db
      .transaction()
      .execute((trx) => draftVersion(trx, report.version, checked, context.actor.id));
    const receipt = await send(context, target, draft);
    await context.db.transaction().execute(async (trx) => {
      await lockVersions(trx);
      await settleVersions(context, trx, receipt);
      await recordAcceptedVersion(trx, receipt.version);
      const subjects = earlierVersion === null ? [] : [String(earlierVersion)];
      await writeAudit(trx, context.actor, { action: "cloak.publish", subjects });
    });
    return { success: true, message: describeSuccess(receipt, earlierVersion), error: null };
  } catch (error) {
    if (!(error instanceof ClipmillError)) throw error;
    return { success: false, message: null, error: error.message };
  }
}

type Content = { routes: PublishedRoute[]; content: string; isOfTables: boolean };

/** Serializes publishes, so that versions and contents have the same order. */
async function draftVersion(
  trx: Transaction<Tables>,
  servedVersion: number,
  checked: Content,
  accountId: string | null,
): Promise<VersionContent> {
  await lockVersions(trx);
  // Read before the content, so that a concurrent change stays pending.
  const changes = checked.isOfTables ? await readCloakChanges(trx) : null;
  const content = checked.isOfTables ? await readAndCheckChanges(trx, checked.content) : checked.content;
  if (Buffer.byteLength(content) > PUBLISH_LIMITS.bytes - 1024) {
    throw new ClipmillError("too_large", "The configuration is larger than 64 MB. Use fewer or shorter routes.");
  }
  const last = await trx
    .selectFrom("published_versions")
    .select((row) => row.fn.max("version").as("version"))
    .executeTakeFirst();
  // The redirector may be ahead after a restore.
  const version = Math.max(last?.version ?? 0, servedVersion) + 1;
  const routes = content === "" ? 0 : content.split("\n").length - 1;
  const draft = { version, digest: sha256Of(content), routes, content };
  const { created_at: createdAt } = await trx
    .insertInto("published_versions")
    .values({ ...draft, changes, published_by: accountId })
    .returning("created_at")
    .executeTakeFirstOrThrow();
  return { ...draft, createdAt };
}

async function readTables(db: Kysely<Tables>): Promise<Content> {
  const routes = await selectPublishedRoutes(db);
  return { routes, content: writeRouteLines(routes), isOfTables: true };
}

async function readVersion(db: Kysely<Tables>, version: number): Promise<Content> {
  const row = await db
    .selectFrom("published_versions")
    .select("content")
    .where("version", "=", version)
    .where("published_at", "is not", null)
    .executeTakeFirst();
  if (!row) throw new ClipmillError("not_found", `Version ${version} is no longer available.`);
  return { routes: [...linesOf(row.content)].map(parseRouteLine), content: row.content, isOfTables: false };
}

async function readAndCheckChanges(trx: Transaction<Tables>, checkedContent: string): Promise<string> {
  const { routes, content } = await readTables(trx);
  if (content !== checkedContent) await checkPublishable(routes);
  return content;
}

/** Throws ClipmillError if the redirector does not serve the draft. */
async function send(context: Context, target: PublishTarget, draft: VersionContent): Promise<PublishReceipt> {
  try {
    return await sendDocument(target, writeDocument(draft));
  } catch (error) {
    if (!(error instanceof ClipmillError)) throw error;
    if (error.code === "network") return resolveLostConnection(context, target, draft);
    await deleteVersion(context.db, draft.version);
    throw error;
  }
}

async function resolveLostConnection(
  context: Context,
  target: PublishTarget,
  draft: VersionContent,
): Promise<PublishReceipt> {
  const lost = "The connection to the redirector was lost while publishing.";
  const report: RedirectorReport | null = await requestReport(target, today()).catch(() => null);
  if (report === null) {
    throw new ClipmillError(
      "network",
      `${lost} It now serves either the previous version or version ${draft.version}. Publish again when the redirector can be reached.`,
    );
  }
  if (report.version === draft.version && report.digest === draft.digest) return { ...draft };
  const served = report.version === 0 ? "nothing" : `version ${report.version}`;
  // The redirector will reject the draft if it still arrives.
  if (report.version >= draft.version) {
    await deleteVersion(context.db, draft.version);
    throw new ClipmillError("conflict", `${lost} It now serves ${served}, which someone else published.`);
  }
  // A slow redirector may still accept the draft; the next report settles it.
  throw new ClipmillError(
    "network",
    `${lost} It still serves ${served}. If version ${draft.version} arrived, it takes effect within a minute. Otherwise publish again.`,
  );
}

function describeSuccess({ version, routes }: PublishReceipt, earlierVersion: number | null): string {
  const count = routes === 1 ? "1 route" : `${routes.toLocaleString("en")} routes`;
  const origin = earlierVersion === null ? "" : ` from version ${earlierVersion}`;
  return `Published version ${version} with ${count}${origin}.`;
}

type VersionContent = { version: number; digest: string; routes: number; content: string; createdAt: string };

export function writeDocument({ version, digest, routes, content, createdAt }: VersionContent): string {
  const header: PublishedHeader = {
    type: "clipmill.config",
    format: 1,
    version,
    publishedAt: createdAt,
    routes,
    digest,
  };
  return `${JSON.stringify(header)}\n${content}`;
}

/** The built-in redirector's settings are filled in automatically. */
export type RedirectorSettings = {
  syncUrl: string | null;
  token: string | null;
  /** Null if this process has no built-in redirector. */
  builtInUrl: string | null;
};

export const NO_REDIRECTOR: RedirectorSettings = { syncUrl: null, token: null, builtInUrl: null };

export function missingSettings({ syncUrl, token }: RedirectorSettings): string[] {
  return [...(syncUrl === null ? ["VPS_SYNC_URL"] : []), ...(token === null ? ["VPS_PUBLISH_TOKEN"] : [])];
}

/** Throws ClipmillError "unavailable" if a setting is missing. */
export function requireTarget(settings: RedirectorSettings): PublishTarget {
  const { syncUrl, token } = settings;
  if (syncUrl !== null && token !== null) return { url: syncUrl, token };
  const names = missingSettings(settings).join(" and ");
  throw new ClipmillError("unavailable", `Set ${names} in the server environment to publish.`);
}
