import { ClipmillError } from "#contract/errors.ts";
import type { PublishTarget } from "#integrations/redirector.ts";

/** The built-in redirector's settings are filled in automatically. */
export type RedirectorSettings = {
  syncUrl: string | null;
  token: string | null;
  /** Null if this process has no built-in redirector. */
  builtInUrl: string | null;
};

export const NO_REDIRECTOR: RedirectorSettings = { syncUrl: null, token: null, builtInUrl: null };

export function missingSettings({ syncUrl, token }: RedirectorSettings): string[] {
  return [...(syncUrl === null ? ["VPS_SYNC_URL"] : []), ...(token === null ? ["VPS_PUBLISH_TOKEN"] : [])];
}

/** Throws ClipmillError "unavailable" if a setting is missing. */
export function requireTarget(settings: RedirectorSettings): PublishTarget {
  const { syncUrl, token } = settings;
  if (syncUrl !== null && token !== null) return { url: syncUrl, token };
  const names = missingSettings(settings).join(" and ");
  throw new ClipmillError("unavailable", `Set ${names} in the server environment to publish.`);
}
