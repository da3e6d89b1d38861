import path from "node:path";
import type { Logger } from "pino";
import { ClipmillError } from "#contract/errors.ts";
import { lockDataDir } from "#database/embedded/lock-data-dir.ts";
import { makeDataDirPrivate } from "#database/embedded/private-data-dir.ts";
import type { RedirectorSettings } from "#operations/cloak/publishing/publish-config.ts";
import { deriveKey } from "#operations/derive-key.ts";
import { type Redirector, startRedirector } from "#redirector/start-redirector.ts";
import type { Config } from "../../config.ts";

/** Throws ClipmillError "invalid" without VPS_PUBLISH_TOKEN. */
export async function startLoneRedirector(config: Config, log: Logger): Promise<Redirector> {
  const token = config.VPS_PUBLISH_TOKEN;
  if (token) return start(config, token, log);
  throw new ClipmillError("invalid", "Set VPS_PUBLISH_TOKEN to the same token as on Clipmill's server.");
}

/** A publish would reach only one of several built-in redirectors, so there must be a separate one. */
export function remoteRedirector(config: Config): RedirectorSettings {
  return { syncUrl: config.VPS_SYNC_URL ?? null, token: config.VPS_PUBLISH_TOKEN ?? null, builtInUrl: null };
}

/** Returns where to publish: here, unless the configuration names another redirector. */
export async function startBuiltInRedirector(
  config: Config,
  appSecret: string,
  log: Logger,
): Promise<{ redirector: Redirector; settings: RedirectorSettings }> {
  const ownToken = deriveKey(appSecret, "publish token").toString("base64url");
  const token = config.VPS_PUBLISH_TOKEN ?? ownToken;
  const redirector = await start(config, token, log);
  const isOwn = config.VPS_SYNC_URL === undefined;
  const settings: RedirectorSettings = {
    syncUrl: config.VPS_SYNC_URL ?? redirector.publishUrl,
    // Another redirector does not accept the derived token.
    token: isOwn ? token : (config.VPS_PUBLISH_TOKEN ?? null),
    builtInUrl: redirector.publishUrl,
  };
  return { redirector, settings };
}

async function start(config: Config, publishToken: string, log: Logger): Promise<Redirector> {
  const dataDir = path.resolve(config.DATA_DIR);
  makeDataDirPrivate(dataDir);
  const folder = path.join(dataDir, "redirector");
  const unlock = lockDataDir(folder);
  try {
    const redirector = await startRedirector({
      host: config.HOST,
      port: config.REDIRECTOR_PORT,
      folder,
      publishToken,
      metricsToken: config.METRICS_TOKEN ?? null,
      trustedProxies: config.TRUSTED_PROXIES,
      log,
    });
    return { ...redirector, close: () => redirector.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}
