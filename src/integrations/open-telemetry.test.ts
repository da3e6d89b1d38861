import pino from "pino";
import { afterEach, expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { runStep } from "#ground/tracing/run-step.ts";
import { currentSpan, inSpan, runInSpan } from "#ground/tracing/tracing.ts";
import { type OtlpCollector, startOtlpCollector } from "#tests/support/twins/otlp-collector.ts";
import { openTelemetry, type TracingOptions } from "./open-telemetry.ts";

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function open(options: Partial<TracingOptions> = {}) {
  const collector: OtlpCollector = await startOtlpCollector();
  stack.defer(() => collector.close());
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  const tracing = openTelemetry({
    ...{ endpoint: collector.url, service: "clipmill-test", version: "1.2.3" },
    ...{ sampler: "parentbased_always_on", ratio: 1, log, ...options },
  });
  return { collector, tracing, lines };
}

it("sends nested steps as one trace, which continues the caller's", async () => {
  const { collector, tracing } = await open();
  const caller = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01";
  const span = tracing.startSpan("attempt", caller, { kind: "consumer", facts: { queue: "videos" } });
  await runInSpan(span, () => runStep("fetch", () => inSpan("inner", () => expect(currentSpan()).toBeDefined())));
  await tracing[Symbol.asyncDispose]();
  const [inner, fetch, attempt] = collector.spans;
  expect(attempt).toMatchObject({
    ...{ service: "clipmill-test", name: "attempt", kind: "consumer", facts: { queue: "videos" }, isError: false },
    ...{ traceId: "0123456789abcdef0123456789abcdef", parentId: "0123456789abcdef" },
  });
  expect(fetch).toMatchObject({ name: "fetch", parentId: attempt!.spanId, traceId: attempt!.traceId });
  expect(inner).toMatchObject({ name: "inner", parentId: fetch!.spanId });
  expect(collector.spans).toHaveLength(3);
});

it.each([
  "",
  "nonsense",
  "00-00000000000000000000000000000000-0123456789abcdef-01",
  "ff-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
])("starts a new trace for the invalid traceparent %j", async (traceparent) => {
  const { collector, tracing } = await open();
  tracing.startSpan("request", traceparent, {}).end();
  await tracing[Symbol.asyncDispose]();
  expect(collector.spans).toMatchObject([{ name: "request", parentId: null }]);
});

it("marks each step with the class of its failure, never with a message", async () => {
  const { collector, tracing } = await open();
  const fail = async (error: Error): Promise<void> => {
    const span = tracing.startSpan("attempt", null, {});
    const step = () =>
      runStep("fetch", () => {
        throw error;
      });
    await expect(runInSpan(span, step)).rejects.toBe(error);
  };
  await fail(new ClipmillError("not_shared", "https://host/secret?signature=abc"));
  await fail(Object.assign(new Error("/data/secret"), { code: "ENOSPC" }));
  await fail(new TypeError("a secret"));
  await fail(new DOMException("", "AbortError"));
  await tracing[Symbol.asyncDispose]();
  const steps = collector.spans.filter(({ name }) => name === "fetch");
  expect(steps.map(({ facts, isError }) => [facts.error_code, isError])).toEqual([
    ["not_shared", true],
    ["no_space", true],
    ["internal", true],
    ["cancelled", false],
  ]);
  expect(collector.bytes().toString()).not.toMatch(/secret|signature/);
});

it("follows the sampler for new traces, and the caller's decision otherwise", async () => {
  const { collector, tracing } = await open({ sampler: "parentbased_traceidratio", ratio: 0 });
  const ids = "0123456789abcdef0123456789abcdef-0123456789abcdef";
  const unsampled = tracing.startSpan("new", null, {});
  expect(unsampled.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
  unsampled.end();
  tracing.startSpan("rejected", `00-${ids}-00`, {}).end();
  tracing.startSpan("sampled", `00-${ids}-01`, {}).end();
  await tracing[Symbol.asyncDispose]();
  expect(collector.spans.map(({ name }) => name)).toEqual(["sampled"]);
});

it("logs an unavailable collector once a minute, and stops in time if it hangs", async () => {
  const { collector, tracing, lines } = await open({ maxStopMs: 200 });
  collector.status = 400;
  // A full batch is sent at once.
  const send = () => Array.from({ length: 512 }, () => tracing.startSpan("step", null, {}).end());
  for (let batch = 1; batch <= 3; batch += 1) {
    send();
    await expect.poll(() => collector.headers.length).toBeGreaterThanOrEqual(batch);
  }
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatchObject({ level: 40, problem: "Bad Request", suppressed: 0 });
  collector.status = null;
  send();
  const startedMs = performance.now();
  await tracing[Symbol.asyncDispose]();
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  expect(lines).toHaveLength(1);
});

it("does nothing without a trace", async () => {
  expect(await runStep("fetch", () => inSpan("inner", () => currentSpan()))).toBeUndefined();
});
