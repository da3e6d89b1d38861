import { repeat } from "#ground/repeat.ts";
import { deleteOldSignUps } from "#operations/accounts/sign-in/sign-up.ts";
import {
  deleteOldAuditEntries,
  deleteOldEvents,
  deleteExpiredTokens,
  deleteOldCodes,
  deleteOldTranscripts,
  deleteOldTranslations,
  forgetWatchFiles,
} from "#operations/retention/delete-old-rows.ts";
import { deleteOldResponses } from "#operations/idempotency/claim-key.ts";
import { endOutdatedMails } from "#operations/outgoing/end-sendings.ts";
import { reviveChecks } from "#operations/watch-folders/check/schedule-checks.ts";
import { deleteOldFiles } from "#operations/retention/delete-old-files.ts";
import { deleteEndedLoans } from "#queue/task-table.ts";
import type { ServerContext } from "../server-context.ts";

const INTERVAL_MS = 3_600_000;

/** Hourly, starting immediately; the next round retries failures. Safe on any number of servers. */
export function startHousekeeping(server: Pick<ServerContext, "db" | "queue" | "storage" | "uploads" | "log">): {
  stop(): Promise<void>;
} {
  const round = async (): Promise<void> => {
    const jobs = await deleteOldFiles(server, new Date());
    if (jobs > 0) server.log.info({ jobs }, "deleted the files of old jobs");
    await deleteOldAuditEntries(server, new Date());
    await deleteOldSignUps(server, new Date());
    await deleteExpiredTokens(server, new Date());
    await deleteOldCodes(server, new Date());
    await deleteOldTranslations(server, new Date());
    await forgetWatchFiles(server, new Date());
    await endOutdatedMails(server);
    await reviveChecks(server);
    await deleteOldEvents(server, new Date());
    await deleteOldTranscripts(server, new Date());
    await server.uploads.resumable.deleteExpired(new Date());
    await deleteOldResponses(server, new Date());
    await deleteEndedLoans(server.db);
  };
  return repeat(round, {
    everyMs: INTERVAL_MS,
    onError: (error) => server.log.error({ err: error }, "housekeeping failed; retrying in an hour"),
  });
}
