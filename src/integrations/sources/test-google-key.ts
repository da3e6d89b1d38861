import { requestDrive } from "#contract/sources/hosts/google-drive/open-file.ts";
import { explainApiError, errors } from "#contract/sources/hosts/google-drive/drive-errors.ts";
import { createSourceGet } from "./source-http.ts";

/** No file has this id: Google checks the key before the file. */
const NO_FILE = "clipmill-tests-the-key";

/**
 * Sends a free request. Throws ClipmillError: "bad_key" if rejected, "rate_limited" or "quota_exceeded" if limited,
 * "network" if Google is unreachable.
 */
export async function testGoogleKey(apiKey: string, apiBaseUrl: string, signal: AbortSignal): Promise<void> {
  const url = new URL(`${apiBaseUrl}/drive/v3/files/${NO_FILE}`);
  url.search = new URLSearchParams({ fields: "id", key: apiKey }).toString();
  const response = await requestDrive(url, { get: createSourceGet({ signal }) }, apiBaseUrl, {});
  const body = await response.text();
  if (response.status === 200) return;
  const error = explainApiError(response.status, body, null);
  if (error.code === "source_not_found") return;
  if (error.code === "not_shared") throw errors.badKey({ status: response.status });
  throw error;
}
