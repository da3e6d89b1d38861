import type { SupabaseClient } from "@supabase/supabase-js";
import { type CreateTokenResponse, TOKEN_SCOPES, type TokenScope } from "#contract/api-tokens.ts";

export async function createApiToken(
  client: SupabaseClient,
  scopes: readonly TokenScope[] = TOKEN_SCOPES,
): Promise<string> {
  const body = { name: `Test ${Math.random()}`, scopes };
  const { data, error } = await client.functions.invoke<CreateTokenResponse>("tokens", { body });
  if (error) throw error;
  return data!.token;
}
