import { explainApiRefusal, refusals } from "./google-drive-refusals.ts";
import { type DriveAccess, readText, requestDrive } from "./google-drive-request.ts";

/** No file has this id: Google checks the key first, then responds that the file does not exist. */
const NO_FILE = "clipmill-tests-the-key";

/**
 * Tests a key with a free request. Throws ClipmillError: "bad_key" if rejected, "rate_limited" or "quota_exceeded" if
 * limited, "network" if Google is unreachable.
 */
export async function testGoogleKey(apiKey: string, apiBaseUrl: string, signal: AbortSignal): Promise<void> {
  const access: DriveAccess = { apiKey, apiBaseUrl, downloadBaseUrl: apiBaseUrl, signal };
  const url = new URL(`${apiBaseUrl}/drive/v3/files/${NO_FILE}`);
  url.search = new URLSearchParams({ fields: "id", key: apiKey }).toString();
  const answer = await requestDrive(url, access, apiBaseUrl, {});
  const body = await readText(answer, access);
  if (answer.status === 200) return;
  const refusal = explainApiRefusal(answer.status, body, null);
  if (refusal.code === "source_not_found") return;
  if (refusal.code === "not_shared") throw refusals.badKey({ status: answer.status });
  throw refusal;
}
