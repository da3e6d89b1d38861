/** What has to be cleared away now and then, beside everything else. Any number of servers may do it side by side. */
import { forgetOldSignUps } from "#operations/accounts/sign-in/forget-sign-ups.ts";
import { forgetAuditEntries } from "#operations/audit/forget-audit-entries.ts";
import { deleteOldFiles } from "#operations/retention/delete-old-files.ts";
import type { ServerContext } from "../server-context.ts";

const INTERVAL_MS = 3_600_000;

/** Starts clearing away, now and every hour. What fails is tried again with the next round. */
export function startHousekeeping(server: Pick<ServerContext, "db" | "storage" | "log">): { stop(): Promise<void> } {
  const round = async (): Promise<void> => {
    const jobs = await deleteOldFiles(server, new Date());
    if (jobs > 0) server.log.info({ jobs }, "deleted the files of old jobs");
    await forgetAuditEntries(server, new Date());
    await forgetOldSignUps(server, new Date());
  };
  let going: Promise<void> | null = null;
  const begin = (): void => {
    going ??= round()
      .catch((error: unknown) => server.log.error({ err: error }, "housekeeping failed; trying again in an hour"))
      .finally(() => (going = null));
  };
  const hourly = setInterval(begin, INTERVAL_MS);
  begin();
  return {
    async stop() {
      clearInterval(hourly);
      await going;
    },
  };
}
