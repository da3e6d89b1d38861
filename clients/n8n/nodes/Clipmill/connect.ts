import type {
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
  JsonObject,
} from "n8n-workflow";
import { NodeApiError, NodeOperationError } from "n8n-workflow";
import { type Clipmill, ClipmillProblem, createClipmill } from "../../../typescript/clipmill.ts";

type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;
type Credentials = { url: string; apiToken: string };

export async function readServerUrl(caller: Caller): Promise<string> {
  const { url } = await caller.getCredentials<Credentials>("clipmillApi");
  return url.replace(/\/+$/, "");
}

/** Returns a client that sends its requests through n8n, which adds the token and applies its own proxy and limits. */
export async function connect(caller: Caller): Promise<Clipmill> {
  const url = await readServerUrl(caller);
  return createClipmill({ url, token: "", fetch: (address, init) => send(caller, address, init) });
}

async function send(caller: Caller, address: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete("authorization");
  const { statusCode, ...response } = (await caller.helpers.httpRequestWithAuthentication.call(caller, "clipmillApi", {
    url: String(address),
    method: (init.method ?? "GET") as IHttpRequestMethods,
    headers: Object.fromEntries(headers),
    body: init.body as string | undefined,
    encoding: "text",
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
    abortSignal: init.signal ?? undefined,
  })) as IN8nHttpFullResponse;
  return new Response(statusCode === 204 ? null : (response.body as string), {
    status: statusCode,
    headers: response.headers as Record<string, string>,
  });
}

/** Shows Clipmill's error message and what to do next. */
export function toNodeError(caller: Caller, error: unknown, itemIndex?: number): NodeApiError | NodeOperationError {
  const node = caller.getNode();
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  if (!(error instanceof ClipmillProblem)) return new NodeOperationError(node, error as Error, { itemIndex });
  const { message, remedy, status, code } = error;
  return new NodeApiError(node, { message, code } as JsonObject, {
    message,
    description: remedy ?? undefined,
    httpCode: String(status),
    itemIndex,
  });
}
