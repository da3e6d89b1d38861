/** Traces without OpenTelemetry's packages: integrations/open-telemetry.ts implements them, if it is loaded. */
import { AsyncLocalStorage } from "node:async_hooks";
import { ClipmillError } from "#contract/errors.ts";
import { describeError } from "../describe-error.ts";

/** IDs, counts and codes. Never links, texts or secrets: traces leave the installation. */
export type SpanFacts = Readonly<Record<string, string | number>>;

export type SpanStart = {
  /** "internal" by default. */
  kind?: "server" | "consumer";
  facts?: SpanFacts;
  /** By default, now. */
  startedMs?: number;
};

/** A timed part of a trace. */
export type Span = {
  /** As in W3C's header `traceparent`, for other programs. */
  traceparent: string;
  startChild(name: string, start: SpanStart): Span;
  rename(name: string): void;
  addFacts(facts: SpanFacts): void;
  /** `isError` is false for what is expected, such as a cancel or a rejected request. The first call counts. */
  fail(code: string, isError: boolean): void;
  end(): void;
};

export type Tracing = {
  /** Starts a new trace without a valid `traceparent`. */
  startSpan(name: string, traceparent: string | null, start: SpanStart): Span;
};

const current = new AsyncLocalStorage<Span>();

/** Ends the span with `run`, whose error becomes its class. */
export async function runInSpan<Result>(span: Span, run: () => Result | Promise<Result>): Promise<Result> {
  return await current.run(span, async () => {
    try {
      return await run();
    } catch (error) {
      if (isAbort(error)) span.fail("cancelled", false);
      else span.fail(describeError(error).code, true);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs a part of what is being traced, if anything is. */
export async function inSpan<Result>(
  name: string,
  run: () => Result | Promise<Result>,
  facts: SpanFacts = {},
): Promise<Result> {
  const parent = current.getStore();
  return parent ? await runInSpan(parent.startChild(name, { facts }), run) : await run();
}

/** Returns undefined if nothing is being traced here. */
export function currentSpan(): Span | undefined {
  return current.getStore();
}

function isAbort(error: unknown): boolean {
  return error instanceof ClipmillError
    ? error.code === "cancelled"
    : error instanceof Error && error.name === "AbortError";
}
