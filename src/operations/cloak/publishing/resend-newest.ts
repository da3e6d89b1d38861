import type { Kysely } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { type PublishTarget, sendDocument } from "#integrations/redirector.ts";
import { recordAcceptedVersion } from "./served-version.ts";
import { writeDocument } from "./write-document.ts";

/** For a redirector that serves nothing, because its disk was replaced or it has none. Throws like sendDocument. */
export async function resendNewest(db: Kysely<Tables>, target: PublishTarget): Promise<void> {
  const newest = await db
    .selectFrom("published_versions")
    .select(["version", "digest", "routes", "content", "created_at as createdAt"])
    .where("published_at", "is not", null)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!newest) return;
  try {
    const { version } = await sendDocument(target, writeDocument(newest));
    await recordAcceptedVersion(db, version);
  } catch (error) {
    // Another server, or a publish, was first.
    if (!(error instanceof ClipmillError && error.code === "conflict")) throw error;
  }
}
