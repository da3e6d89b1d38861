import { ClipmillError } from "#contract/errors.ts";
import type { PublishTarget } from "#integrations/redirector.ts";

/** Which redirector is published to, as configured. The built-in one's are set by themselves. */
export type RedirectorSettings = {
  /** VPS_SYNC_URL and VPS_PUBLISH_TOKEN. */
  syncUrl: string | null;
  token: string | null;
  /** Where the built-in redirector takes publishes; null when there is none in this process. */
  builtInUrl: string | null;
};

export const NO_REDIRECTOR: RedirectorSettings = { syncUrl: null, token: null, builtInUrl: null };

/** The names of the settings that are not there. */
export function missingSettings({ syncUrl, token }: RedirectorSettings): string[] {
  return [...(syncUrl === null ? ["VPS_SYNC_URL"] : []), ...(token === null ? ["VPS_PUBLISH_TOKEN"] : [])];
}

/** Throws ClipmillError "unavailable" when something is not set. */
export function requireTarget(settings: RedirectorSettings): PublishTarget {
  const { syncUrl, token } = settings;
  if (syncUrl !== null && token !== null) return { url: syncUrl, token };
  const names = missingSettings(settings).join(" and ");
  throw new ClipmillError("unavailable", `Set ${names} in the server environment to publish.`);
}
