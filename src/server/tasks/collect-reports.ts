import { repeat } from "#ground/repeat.ts";
import { missingSettings } from "#operations/cloak/publishing/publish-config.ts";
import { collectReport } from "#operations/cloak/publishing/collect-report.ts";
import type { ServerContext } from "../server-context.ts";

const INTERVAL_MS = 10_000;

/** Polls the redirector, if configured, for counts and health every 10 s. Redirects never wait for it. */
export function startCollectingReports(server: Pick<ServerContext, "db" | "queue" | "redirector" | "log">): {
  stop(): Promise<void>;
} {
  if (missingSettings(server.redirector).length > 0) return { stop: async () => {} };
  // A stop aborts a request to a hanging redirector.
  const collect = (signal: AbortSignal): Promise<void> => collectReport(server, server.redirector, signal);
  return repeat(collect, {
    everyMs: INTERVAL_MS,
    onError(error, failures) {
      if (failures === 1) server.log.warn({ err: error }, "no report from the redirector; retrying");
    },
    onRecovered: () => server.log.info("the redirector is responding again"),
  });
}
