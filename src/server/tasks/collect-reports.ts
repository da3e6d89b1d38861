/** Asks the redirector now and then what it counted and checked, beside everything else: no redirect waits for it. */
import { missingSettings } from "#operations/cloak/publishing/redirector-settings.ts";
import { collectReport } from "#operations/cloak/publishing/collect-report.ts";
import type { ServerContext } from "../server-context.ts";

const INTERVAL_MS = 10_000;

/** Starts asking, unless no redirector is set. */
export function startCollectingReports(server: Pick<ServerContext, "db" | "redirector" | "log">): {
  stop(): Promise<void>;
} {
  if (missingSettings(server.redirector).length > 0) return { stop: async () => {} };
  let wasReached = true;
  const stopping = new AbortController();
  const collect = async (): Promise<void> => {
    try {
      await collectReport(server, server.redirector, stopping.signal);
      if (!wasReached) server.log.info("the redirector answers again");
      wasReached = true;
    } catch (error) {
      if (stopping.signal.aborted) return;
      // Said once, not every ten seconds.
      if (wasReached) server.log.warn({ err: error }, "no report from the redirector; asking again until there is");
      wasReached = false;
    }
  };
  let going: Promise<void> | null = null;
  const ask = (): void => {
    going ??= collect().finally(() => (going = null));
  };
  const asking = setInterval(ask, INTERVAL_MS);
  ask();
  return {
    async stop() {
      clearInterval(asking);
      // A redirector that hangs is not waited for.
      stopping.abort();
      await going;
    },
  };
}
