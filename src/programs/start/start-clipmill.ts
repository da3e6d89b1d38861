import type { Logger } from "pino";
import type { Context } from "#operations/context.ts";
import { awaitDatabase } from "../await-database.ts";
import { removeUnfinishedFolders } from "../backups/backup-installation.ts";
import type { Config } from "../../config.ts";
import { finishFirstStart } from "../first-start/finish-first-start.ts";
import { lockPrograms, openFoundation } from "../open-foundation.ts";
import { openMachine, type PreparedTools, prepareMediaTools } from "../open-machine.ts";
import { startDailyBackups } from "../backups/start-daily-backups.ts";
import { startBuiltInRedirector } from "./start-redirector-program.ts";
import { openAppPort, openServer, type ServerProgram } from "./start-server-program.ts";
import { openPrefetching } from "./open-prefetching.ts";
import { openWorker } from "./start-worker-program.ts";

export type Clipmill = ServerProgram & { context: Context } & Pick<PreparedTools, "notices">;

/** Runs server, worker and redirector in one process. Throws ClipmillError with one sentence. */
export async function startClipmill(config: Config, prepareWeb: () => Promise<string>, log: Logger): Promise<Clipmill> {
  await using stack = new AsyncDisposableStack();
  stack.use(lockPrograms(config, ["server", "worker"]));
  const port = await openAppPort(config);
  stack.defer(() => port.close());
  const webRoot = await prepareWeb();
  const tools = await prepareMediaTools(config, log);
  const foundation = stack.use(await awaitDatabase(log, () => openFoundation(config, log, { service: "clipmill" })));
  const machine = stack.use(await openMachine(foundation, tools));
  const { redirector, settings } = await startBuiltInRedirector(config, foundation.appSecret, log);
  stack.defer(() => redirector.close());
  const prefetching = stack.use(openPrefetching(foundation, machine));
  const { prefetchSources } = prefetching;
  const reach = { port, redirector: settings, webRoot, prefetchSources };
  const server = stack.use(await openServer(foundation, machine, reach));
  stack.use(await openWorker(foundation, machine, prefetching));
  const first = stack.use(await finishFirstStart(foundation, server.drawThumbnail));
  if (foundation.database.isEmbedded) {
    await removeUnfinishedFolders(foundation.dataDir);
    stack.use(startDailyBackups(foundation));
  }
  server.serve();
  const running = stack.move();
  return {
    url: port.url,
    context: foundation.context,
    firstAccount: first.firstAccount,
    notices: tools.notices,
    stop: () => running.disposeAsync(),
  };
}
