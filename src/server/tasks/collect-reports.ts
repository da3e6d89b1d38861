/** Polls the redirector for counts and health in the background, without delaying redirects. */
import { missingSettings } from "#operations/cloak/publishing/redirector-settings.ts";
import { collectReport } from "#operations/cloak/publishing/collect-report.ts";
import type { ServerContext } from "../server-context.ts";

const INTERVAL_MS = 10_000;

/** Starts polling every 10 s, unless no redirector is configured. */
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
      // Logged once per outage, not every ten seconds.
      if (wasReached) server.log.warn({ err: error }, "no report from the redirector; asking again until there is");
      wasReached = false;
    }
  };
  let running: Promise<void> | null = null;
  const poll = (): void => {
    running ??= collect().finally(() => (running = null));
  };
  const polling = setInterval(poll, INTERVAL_MS);
  poll();
  return {
    async stop() {
      clearInterval(polling);
      // Does not wait for a redirector that hangs.
      stopping.abort();
      await running;
    },
  };
}
