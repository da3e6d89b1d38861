import type { ApiScope } from "#contract/api-tokens.ts";
import type { AllowAuthorizationResponse, AuthorizationRequest, AuthorizationResponse } from "#contract/oauth.ts";
import { callFunction } from "../call-function.ts";
import { readCallError } from "../call-error.ts";

export type AskedAccess = AuthorizationResponse["data"];

/** Throws CallError, "invalid" for a request that the server does not accept. */
export async function checkAuthorization(request: AuthorizationRequest, signal?: AbortSignal): Promise<AskedAccess> {
  const { data } = await callFunction<AuthorizationResponse>("oauth", { ...request, action: "check" }, { signal });
  return data;
}

/** Returns the address to add to an assistant. */
export async function readAssistantAddress(signal: AbortSignal): Promise<string> {
  const response = await fetch("/.well-known/oauth-protected-resource/mcp", { signal });
  if (!response.ok) throw await readCallError(response);
  return ((await response.json()) as { resource: string }).resource;
}

/** Returns the address to open. Throws CallError, with "reauthentication_needed" if the password is required. */
export async function allowAuthorization(
  request: AuthorizationRequest,
  choice: { scopes: ApiScope[]; expires_at: string | null; current_password?: string },
): Promise<string> {
  const body = { ...request, ...choice, action: "allow" };
  return (await callFunction<AllowAuthorizationResponse>("oauth", body)).redirect_url;
}
