import { ClipmillError } from "#contract/errors.ts";
import type { PublishTarget } from "#integrations/redirector.ts";

/** The configured redirector. The built-in one's settings are filled in automatically. */
export type RedirectorSettings = {
  /** VPS_SYNC_URL and VPS_PUBLISH_TOKEN. */
  syncUrl: string | null;
  token: string | null;
  /** The built-in redirector's publish address; null if this process has none. */
  builtInUrl: string | null;
};

export const NO_REDIRECTOR: RedirectorSettings = { syncUrl: null, token: null, builtInUrl: null };

/** Returns the names of the environment variables that publishing still needs; empty if it is configured. */
export function missingSettings({ syncUrl, token }: RedirectorSettings): string[] {
  return [...(syncUrl === null ? ["VPS_SYNC_URL"] : []), ...(token === null ? ["VPS_PUBLISH_TOKEN"] : [])];
}

/** Returns the publish target. Throws ClipmillError "unavailable" if a setting is missing. */
export function requireTarget(settings: RedirectorSettings): PublishTarget {
  const { syncUrl, token } = settings;
  if (syncUrl !== null && token !== null) return { url: syncUrl, token };
  const names = missingSettings(settings).join(" and ");
  throw new ClipmillError("unavailable", `Set ${names} in the server environment to publish.`);
}
