import { z } from "zod";
import { type ApiScope, assistantTokenFields, TOKEN_SCOPES } from "./api-tokens.ts";
import { component } from "./component.ts";

/** The scopes that an assistant asks for if it names none. */
export const ASSISTANT_SCOPES = ["jobs:read", "jobs:write", "sets", "library"] as const satisfies ApiScope[];

/** Tools with links also need "cloak"; none needs the others. */
export const TOOL_SCOPES: readonly ApiScope[] = [...ASSISTANT_SCOPES, "cloak"];

const MAX_PARAMETER = 4_000;
const parameter = z.string().max(MAX_PARAMETER, `A parameter has more than ${MAX_PARAMETER} characters.`);

/** The parameters of an OAuth authorization request, which an assistant's link brings to the screen. */
const requestFields = {
  client_id: parameter,
  redirect_uri: parameter,
  response_type: parameter.optional(),
  code_challenge: parameter.optional(),
  code_challenge_method: parameter.optional(),
  resource: parameter.optional(),
  scope: parameter.optional(),
  state: parameter.optional(),
};

/** Returns the request in a query, without parameters that are not part of one. The server checks the values. */
export function readAuthorizationRequest(query: string): AuthorizationRequest {
  const given = new URLSearchParams(query);
  const fields = Object.keys(requestFields).flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : []));
  return Object.fromEntries(fields) as AuthorizationRequest;
}

export const checkAuthorizationSchema = z.object({ action: z.literal("check"), ...requestFields });

export const allowAuthorizationSchema = z.object({
  action: z.literal("allow"),
  ...requestFields,
  ...assistantTokenFields,
});

export type AuthorizationRequest = Omit<z.output<typeof checkAuthorizationSchema>, "action">;

export const AuthorizationResponse = component(
  "AuthorizationResponse",
  "What an assistant asks for. Its name is its own claim.",
  () => ({
    data: z.object({
      client_name: z.string(),
      target: z
        .object({ kind: z.enum(["website", "computer", "app"]), name: z.string() })
        .describe("Where the browser goes next: a host, a host and port of this computer, or the scheme of an app."),
      scopes: z.array(z.enum(TOKEN_SCOPES)).describe("The known scopes that it asks for."),
      deny_url: z
        .string()
        .nullable()
        .describe("Tells the assistant that access was denied; null for an app, which would open."),
    }),
  }),
);
export type AuthorizationResponse = z.infer<typeof AuthorizationResponse>;

export const AllowAuthorizationResponse = component(
  "AllowAuthorizationResponse",
  "Brings the assistant a code for one token, valid for 5 minutes.",
  () => ({ redirect_url: z.string() }),
);
export type AllowAuthorizationResponse = z.infer<typeof AllowAuthorizationResponse>;
