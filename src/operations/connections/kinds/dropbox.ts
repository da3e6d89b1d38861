import type { ConnectionUser } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { DropboxRequests, SourceGet } from "#contract/sources/source-host.ts";
import { openDropboxAccount } from "#integrations/remote-stores/dropbox/dropbox-account.ts";
import { describeDropbox } from "#integrations/remote-stores/dropbox/open-dropbox.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import { sql } from "kysely";
import type { Context } from "../../context.ts";
import { openRow, recordUse } from "../open-connection.ts";
import { type RowOf, rowsOfKind, selectConnections } from "../select-connections.ts";
import { listJobLinks } from "./job-links.ts";
import type { KindOperations } from "./kind-operations.ts";

export const dropboxOperations: KindOperations<"dropbox"> = {
  async test({ hosts }, connection, signal) {
    const email = await describeDropbox(connection, { get: createSourceGet({ signal }), baseUrls: hosts.baseUrls });
    return { message: `The connection works for the account ${email}.` };
  },
  async findJobs(db, rows) {
    const users = new Map<string, ConnectionUser[]>();
    // Only the files of folders need an account.
    const jobs = await listJobLinks(db, { pattern: FOLDER_LINKS, part: sql`text 'folder'` });
    const [first] = rows;
    if (first)
      users.set(
        first.id,
        jobs.map(({ id, name }) => ({ id, name, type: "job" })),
      );
    return users;
  },
};

/** Both forms of folder links (hosts/dropbox/links.ts). */
const FOLDER_LINKS = "^(https://)?([a-z]+[.])?dropbox(usercontent)?[.]com/(scl/fo|sh)/";

/**
 * Opens the oldest connection: any account can read shared links. Throws ClipmillError "bad_key" without one, or if its
 * secret must be entered again.
 */
export async function openSharedDropbox(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  get: SourceGet,
): Promise<DropboxRequests> {
  const [row]: RowOf<"dropbox">[] = rowsOfKind(
    await selectConnections(context.db).where("kind", "=", "dropbox").limit(1).execute(),
    "dropbox",
  );
  if (!row) {
    throw new ClipmillError(
      "bad_key",
      "Reading a Dropbox folder needs a Dropbox connection. Add one in Settings, then retry.",
    );
  }
  const account = openDropboxAccount(openRow(context, row), { get, baseUrls: context.hosts.baseUrls });
  await recordUse(context, row.id);
  return { connection: row.name, ask: account.ask, read: account.read };
}
