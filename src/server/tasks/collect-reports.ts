import { missingSettings } from "#operations/cloak/publishing/redirector-settings.ts";
import { collectReport } from "#operations/cloak/publishing/collect-report.ts";
import type { ServerContext } from "../server-context.ts";
import { repeat } from "./repeat.ts";

const INTERVAL_MS = 10_000;

/** Polls the redirector, if configured, for counts and health every 10 s. Redirects never wait for it. */
export function startCollectingReports(server: Pick<ServerContext, "db" | "redirector" | "log">): {
  stop(): Promise<void>;
} {
  if (missingSettings(server.redirector).length > 0) return { stop: async () => {} };
  let wasReached = true;
  const stopping = new AbortController();
  const polling = repeat(INTERVAL_MS, async () => {
    try {
      await collectReport(server, server.redirector, stopping.signal);
      if (!wasReached) server.log.info("the redirector is responding again");
      wasReached = true;
    } catch (error) {
      if (stopping.signal.aborted) return;
      // Logged once per outage.
      if (wasReached) server.log.warn({ err: error }, "no report from the redirector; retrying");
      wasReached = false;
    }
  });
  return {
    async stop() {
      // Aborts a request to a hanging redirector.
      stopping.abort();
      await polling.stop();
    },
  };
}
