import { setTimeout as delay } from "node:timers/promises";
import type { Api, CallOptions } from "#client/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { explainNoResponse, explainResponse, mayPass, notClipmill, wasNeverSent } from "./explain-error.ts";

export type ServerAccess = {
  server: string;
  token: string | null;
};

export type ApiClient = Api & {
  signal: AbortSignal;
  /** Time of the last response. */
  serverTime: () => number | null;
  /** Repeats `request` after network errors, 429 and 503. Returns any other response, even an error. Adds no token. */
  send(request: (signal: AbortSignal) => Promise<Response>, options: SendOptions): Promise<Response>;
  authorization(): Record<string, string>;
};

type SendOptions = { isRepeatable: boolean; timeoutMs: number | null };

type ApiClientOptions = ServerAccess & {
  signal: AbortSignal;
  onWait?: (sentence: string) => void;
};

const TIMEOUT_MS = 30_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** A server that never responded may have a wrong address; one that did may be restarting. */
const PATIENCE_MS = { unknown: 3_000, known: 300_000 } as const;

/** Opens no connection yet. `signal` aborts all requests; calls then throw ClipmillError "cancelled". */
export function createApiClient({ server, token, signal, onWait }: ApiClientOptions): ApiClient {
  let hasResponded = false;
  let time: number | null = null;

  const authorization = (): Record<string, string> => {
    if (token === null) {
      throw new ClipmillError(
        "unauthorized",
        `You are not signed in to ${server}. Run \`clipmill login ${server}\`, or set CLIPMILL_TOKEN.`,
      );
    }
    return { Authorization: `Bearer ${token}` };
  };

  async function send(
    request: (signal: AbortSignal) => Promise<Response>,
    { isRepeatable, timeoutMs }: SendOptions,
  ): Promise<Response> {
    const startedMs = performance.now();
    let hasToldWait = false;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      signal.throwIfAborted();
      const outcome = await request(
        timeoutMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ).catch((error: unknown) => ({ error }));
      signal.throwIfAborted();
      const isLate = performance.now() - startedMs + delayMs > PATIENCE_MS[hasResponded ? "known" : "unknown"];
      let waitMs = delayMs / 2 + (Math.random() * delayMs) / 2;
      if ("error" in outcome) {
        const { error } = outcome;
        const canRepeat = mayPass(error) && (isRepeatable || wasNeverSent(error));
        if (isLate || !canRepeat) throw explainNoResponse(error, server);
      } else {
        hasResponded = true;
        time = Date.parse(outcome.headers.get("date") ?? "") || Date.now();
        const isBusy = [429, 502, 503, 504].includes(outcome.status);
        if (isLate || !isBusy || (!isRepeatable && outcome.status !== 429 && outcome.status !== 503)) return outcome;
        const asked = Number(outcome.headers.get("retry-after"));
        if (asked > 0) waitMs = Math.min(asked * 1_000, 60_000);
        await outcome.body?.cancel();
      }
      if (!hasToldWait && performance.now() - startedMs > PATIENCE_MS.unknown) {
        hasToldWait = true;
        onWait?.(`Waiting for ${server} to respond.`);
      }
      await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async function call<Result>(path: string, options: CallOptions = {}): Promise<Result> {
    const {
      method = options.body === undefined ? "GET" : "POST",
      body,
      headers,
      isRepeatable = method === "GET",
    } = options;
    const init = {
      method,
      headers: {
        ...authorization(),
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "manual",
    } as const;
    let text = "";
    const response = await send(
      async (signal) => {
        const fetched = await fetch(server + path, { ...init, signal });
        // A connection that breaks during the response is a failed request, too.
        text = await fetched.text();
        return new Response(null, { status: fetched.status === 101 ? 200 : fetched.status, headers: fetched.headers });
      },
      { isRepeatable, timeoutMs: options.timeoutMs ?? TIMEOUT_MS },
    );
    if (!response.ok) throw explainResponse(response, text, { server, path: path.replace(/\?.*$/s, "") });
    if (text === "" && response.status !== 200) return undefined as Result;
    try {
      return JSON.parse(text) as Result;
    } catch {
      throw notClipmill(server, response.status);
    }
  }

  return { server, signal, serverTime: () => time, call, send, authorization };
}
