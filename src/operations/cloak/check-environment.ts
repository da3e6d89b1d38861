import type { EnvironmentCheck } from "#contract/cloak/cloak.ts";
import { ClipmillError } from "#contract/errors.ts";
import { REDIRECTOR_PATHS } from "#contract/cloak/published-config.ts";
import { requestReport, isPublishUrl } from "#integrations/redirector.ts";
import { missingSettings, type RedirectorSettings, requireTarget } from "./publishing/publish-config.ts";
import { today } from "./read-cloak-state.ts";

const SOUND: EnvironmentCheck = { isValid: true, missing: [], wrongUrl: false, expectedUrl: null, error: null };

export async function checkEnvironment(settings: RedirectorSettings): Promise<EnvironmentCheck> {
  const missing = missingSettings(settings);
  if (settings.syncUrl !== null && !isPublishUrl(settings.syncUrl)) {
    return { ...wrongUrl(settings, "VPS_SYNC_URL is not the address of a redirector."), missing };
  }
  if (missing.length > 0) return { ...SOUND, isValid: false, missing };
  try {
    await requestReport(requireTarget(settings), today());
    return SOUND;
  } catch (error) {
    if (!(error instanceof ClipmillError)) throw error;
    if (error.code === "bad_link") return wrongUrl(settings, error.message);
    return { ...SOUND, isValid: false, error: error.message };
  }
}

function wrongUrl(settings: RedirectorSettings, error: string): EnvironmentCheck {
  const origin = URL.parse(settings.syncUrl ?? "")?.origin;
  const sameHost = `${origin}${REDIRECTOR_PATHS.publish}`;
  // The path is right but the host is not; only the built-in redirector's address is known.
  const elsewhere = settings.builtInUrl ?? `https://redirector.example.com${REDIRECTOR_PATHS.publish}`;
  const expectedUrl = origin === undefined || settings.syncUrl === sameHost ? elsewhere : sameHost;
  return { isValid: false, missing: [], wrongUrl: true, expectedUrl, error };
}
