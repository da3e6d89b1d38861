import type { ApiToken, CreateTokenResponse, ListTokensResponse, TokenScope } from "#contract/api-tokens.ts";
import { callFunction } from "../call-function.ts";

export const tokensKey = ["api-tokens"] as const;

/** Lists the newest first. Throws CallError. */
export async function listTokens(signal?: AbortSignal): Promise<ApiToken[]> {
  const { data } = await callFunction<ListTokensResponse>("tokens", { method: "GET" }, { signal });
  return data;
}

/** Returns the secret, once only. Throws CallError, with "reauthentication_needed" if the password is required. */
export function createToken(request: {
  name: string;
  scopes: TokenScope[];
  worker_labels?: string[];
  expires_at: string | null;
  current_password?: string;
}): Promise<CreateTokenResponse> {
  return callFunction<CreateTokenResponse>("tokens", request);
}

/** Returns the remaining tokens. Throws CallError. */
export async function revokeToken(id: string): Promise<ApiToken[]> {
  const { data } = await callFunction<ListTokensResponse>("tokens", { id, revoke: true });
  return data;
}
