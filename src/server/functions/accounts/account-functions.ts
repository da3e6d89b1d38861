import { SessionsResponse } from "#contract/account.ts";
import { CreateTokenResponse, createTokenSchema, ListTokensResponse, revokeTokenSchema } from "#contract/api-tokens.ts";
import { listSessions } from "#operations/accounts/sessions/read-session.ts";
import { createToken, listTokens, revokeToken } from "#operations/tokens/create-token.ts";
import { clientAddress } from "../../requests/client-address.ts";
import { type CallContext, type CallFunction, defineCall, PRESENT, READ_OR_WRITE } from "../define-call.ts";

export const ACCOUNT_FUNCTIONS: CallFunction[] = [
  {
    path: "sessions",
    summary: "Lists the account's sessions.",
    scope: "session",
    unknown: "Sessions are read-only. Set method to GET.",
    calls: [
      defineCall({
        name: "list",
        summary: "Lists the account's active sessions.",
        when: { method: "GET" },
        isRead: true,
        answers: SessionsResponse,
        run: async (context) => {
          const { account, sessionId } = context.operator;
          return { data: await listSessions(context, { accountId: account.id, sessionId }) };
        },
      }),
    ],
  },
  {
    path: "tokens",
    summary: "Manages the account's API tokens.",
    scope: "session",
    get: READ_OR_WRITE.get,
    calls: [
      defineCall({
        name: "list",
        summary: "Lists the account's tokens.",
        when: { method: "GET" },
        isRead: true,
        answers: ListTokensResponse,
        run: (context) => listOwn(context),
      }),
      defineCall({
        name: "revoke",
        summary: "Revokes a token.",
        when: { revoke: PRESENT },
        takes: revokeTokenSchema,
        answers: ListTokensResponse,
        run: async (context, request) => {
          await revokeToken(context, context.operator.account.id, request);
          return await listOwn(context);
        },
      }),
      defineCall({
        name: "create",
        summary:
          "Creates a token and returns its secret once. If the session is older than 15 minutes, send the current password or an emailed code.",
        when: {},
        takes: createTokenSchema,
        answers: CreateTokenResponse,
        example: { name: "Nightly", scopes: ["jobs:read", "jobs:write"], expires_at: null },
        run: (context, request) => {
          const { account, sessionId } = context.operator;
          const { id: accountId, email } = account;
          return createToken(context, { accountId, email, sessionId, address: clientAddress(context.c) }, request);
        },
      }),
    ],
  },
];

async function listOwn(context: CallContext): Promise<ListTokensResponse> {
  return { data: await listTokens(context, context.operator.account.id) };
}
