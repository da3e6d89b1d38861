import {
  AllowAuthorizationResponse,
  allowAuthorizationSchema,
  AuthorizationResponse,
  checkAuthorizationSchema,
} from "#contract/oauth.ts";
import { allowAuthorization } from "#operations/oauth/allow-authorization.ts";
import { checkAuthorization, type OAuthContext } from "#operations/oauth/read-authorization.ts";
import { MCP_PATH } from "../../oauth/metadata.ts";
import { clientAddress } from "../../requests/client-address.ts";
import { requestOrigin } from "../../requests/request-origin.ts";
import { type CallContext, type CallFunction, defineCall } from "../define-call.ts";

export const OAUTH_FUNCTION: CallFunction = {
  path: "oauth",
  summary: "Lets an AI assistant sign in.",
  scope: "session",
  calls: [
    defineCall({
      name: "check",
      summary: "Checks an assistant's authorization request, and returns what it asks for.",
      isRead: true,
      takes: checkAuthorizationSchema,
      answers: AuthorizationResponse,
      run: (context, request) => Promise.resolve(checkAuthorization(withAddresses(context), request)),
    }),
    defineCall({
      name: "allow",
      summary:
        "Allows it, and returns an address with a code for an API token. If the session is older than 15 minutes, send the current password or an emailed code.",
      takes: allowAuthorizationSchema,
      answers: AllowAuthorizationResponse,
      run: (context, request) => {
        const { account, sessionId } = context.operator;
        const requester = { accountId: account.id, email: account.email, sessionId, address: clientAddress(context.c) };
        return allowAuthorization({ ...context, ...withAddresses(context) }, requester, request);
      },
    }),
  ],
};

function withAddresses(context: CallContext): OAuthContext {
  const issuer = requestOrigin(context, context.c);
  return { clientIds: context.clientIds, issuer, resource: issuer + MCP_PATH };
}
