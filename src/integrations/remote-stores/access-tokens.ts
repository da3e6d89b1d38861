import { createHash } from "node:crypto";

/** Renewed this long before expiry, so that requests in flight stay valid. */
const RESERVE_MS = 5 * 60_000;
const MAX_TOKENS = 1_000;

export type AccessToken = { token: string; validSeconds: number };

/** In memory only. Keys are digests, so that secrets are not retained. */
const tokens = new Map<string, Promise<{ token: string; untilMs: number }>>();

/** Concurrent calls share one request. */
export async function readAccessToken(
  credentials: readonly string[],
  request: () => Promise<AccessToken>,
): Promise<string> {
  const key = keyOf(credentials);
  const saved = await tokens.get(key)?.catch(() => null);
  if (saved && performance.now() < saved.untilMs) return saved.token;
  if (saved) tokens.delete(key);
  // Another call may have started a request while this one waited.
  const requested = tokens.get(key) ?? start(key, request);
  return (await requested).token;
}

function start(key: string, request: () => Promise<AccessToken>): Promise<{ token: string; untilMs: number }> {
  const requested = request().then(({ token, validSeconds }) => ({
    token,
    untilMs: performance.now() + validSeconds * 1000 - RESERVE_MS,
  }));
  tokens.set(key, requested);
  requested.catch(() => tokens.get(key) === requested && tokens.delete(key));
  for (const oldest of tokens.keys()) {
    if (tokens.size <= MAX_TOKENS) break;
    tokens.delete(oldest);
  }
  return requested;
}

export function forgetAccessToken(credentials: readonly string[]): void {
  tokens.delete(keyOf(credentials));
}

function keyOf(credentials: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(credentials)).digest("base64");
}
