import type { Context } from "hono";
import { z } from "zod";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { ActorContext } from "#operations/audit/write-audit.ts";
import type { Operator, ServerContext, ServerEnv } from "../server-context.ts";

export type Fields = Record<string, unknown>;

/** Of an API token, which may need several. `session`: no token suffices. A function gets the unchecked request. */
export type Scope = TokenScope | readonly TokenScope[] | "session" | ((request: Fields) => TokenScope | TokenScope[]);

/** For `when`: the field can have any value. */
export const PRESENT = Symbol("present");

export type CallContext = ServerContext &
  ActorContext & {
    c: Context<ServerEnv>;
    operator: Operator;
    /** Aborts when the client disconnects. */
    signal: AbortSignal;
  };

type Described<Takes extends z.ZodType = z.ZodType, Answers extends z.ZodType = z.ZodType> = {
  /** Unique in its function. */
  name: string;
  summary: string;
  /** The fields that select the call, by default `{action: name}`. A list has several values; undefined is absent. */
  when?: Fields;
  /** By default, the function's. */
  scope?: Scope;
  /** Changes nothing. Only such calls can be sent with GET. */
  isRead?: true;
  /** GET only, with `takes` as its query. */
  isGet?: true;
  /** By default, nothing. */
  takes?: Takes;
  answers: Answers;
  /** An Idempotency-Key makes it safe to send again. `own`: `run` stores the key itself. */
  isRepeatable?: true | "own";
  /** Of the body, by default 1. The largest of a function's calls is its limit. */
  limitMb?: number;
  /** The request has no fields of the query, even if the function's others do. */
  ignoresQuery?: true;
  example?: Fields;
};

type Running<Request, Answers extends z.ZodType> = (
  context: CallContext,
  request: Request,
) => Promise<z.input<Answers> | Response>;

type Runs<Takes extends z.ZodType, Answers extends z.ZodType> =
  | { run: Running<z.output<Takes>, Answers> }
  /** Checks the request itself, for example in an operation that others call too. */
  | { runUnchecked: Running<Fields, Answers> };

const NOTHING = z.object({});

export type Call = Described & { takes: z.ZodType } & {
  run?: (context: CallContext, request: never) => Promise<unknown>;
} & {
  runUnchecked?: (context: CallContext, request: Fields) => Promise<unknown>;
};

/** `takes` checks the request before `run`, and describes it in the API document. */
export function defineCall<Answers extends z.ZodType, Takes extends z.ZodType = typeof NOTHING>(
  call: Described<Takes, Answers> & Runs<Takes, Answers>,
): Call {
  return { ...call, takes: call.takes ?? NOTHING };
}

export const SUCCESS = { success: true } as const;

/** The calls of one path. The first whose `when` fits a request runs. */
export type CallFunction = {
  /** Below /functions/v1. */
  path: string;
  summary: string;
  /** Its name in the typed client, if it is not the path. */
  group?: string;
  /** Of calls without one, and of requests that no call fits. */
  scope: Scope;
  /** The error for a request that no call fits; gets the calls' actions. */
  unknown?: string | ((actions: string[]) => string);
  /** `all`: fields of the query override those of the body. `action`: only for choosing the call. */
  query?: "all" | "action";
  /** Does not read the body, which may even be no JSON. */
  ignoresBody?: true;
  /** Turns a GET's query into a request. */
  get?: (query: Fields) => Fields;
  calls: readonly Call[];
};

/** Returns, for example, "a, b or c". */
export function orList(words: string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);
}

/** For functions whose `method` selects read or write, as in SPEC. */
export const READ_OR_WRITE = {
  unknown: 'method: Invalid option: expected one of "GET"|"POST"',
  get: (query: Fields): Fields => ({ ...query, method: "GET" }),
};
