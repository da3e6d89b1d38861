/** Exports traces with OTLP over HTTP. Loads OpenTelemetry's packages: import this file only if traces are on. */
import { randomUUID } from "node:crypto";
import os from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span as ApiSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { parseTraceParent, setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { SamplerName } from "#ground/tracing/samplers.ts";
import type { Span, SpanStart, Tracing } from "#ground/tracing/tracing.ts";

export type TracingOptions = {
  /** Of the collector, without `/v1/traces`. */
  endpoint: string;
  /** OTEL_SERVICE_NAME replaces it. */
  service: string;
  version: string;
  sampler: SamplerName;
  /** 0-1, for samplers by ratio. */
  ratio: number;
  /** Limits the export of the last spans at the end. */
  maxStopMs?: number;
  log: Logger;
};

const MAX_STOP_MS = 3_000;
/** A collector that is away fails every few seconds. */
const LOG_INTERVAL_MS = 60_000;
const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };

/**
 * Disposing exports what has ended. Further standard variables, such as OTEL_EXPORTER_OTLP_HEADERS, are read by
 * OpenTelemetry's packages. At most 2,048 ended spans wait for export (the SDK's default); others are dropped.
 */
export function openTelemetry(options: TracingOptions): Tracing & AsyncDisposable {
  const { endpoint, service, version, log, maxStopMs = MAX_STOP_MS } = options;
  logProblems(log);
  const identity = { "service.name": service, "service.version": version, "service.instance.id": randomUUID() };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...identity, "host.name": os.hostname() }).merge(
      detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
    ),
    sampler: createSampler(options),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  const tracer = provider.getTracer("clipmill", version);
  return {
    startSpan(name, traceparent, start) {
      const remote = traceparent === null ? null : parseTraceParent(traceparent);
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
      return toSpan(tracer, tracer.startSpan(name, toSpanOptions(start), parent));
    },
    async [Symbol.asyncDispose]() {
      const stopped = provider.shutdown().catch((error: unknown) => diag.error(String(error)));
      await Promise.race([stopped, delay(maxStopMs, undefined, { ref: false })]);
    },
  };
}

function toSpan(tracer: Tracer, span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  let hasFailed = false;
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    startChild(name, start) {
      return toSpan(tracer, tracer.startSpan(name, toSpanOptions(start), trace.setSpan(ROOT_CONTEXT, span)));
    },
    rename: (name) => void span.updateName(name),
    addFacts: (facts) => void span.setAttributes(facts),
    fail(code, isError) {
      if (hasFailed) return;
      hasFailed = true;
      span.setAttribute("error_code", code);
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    },
    end: () => span.end(),
  };
}

function toSpanOptions({ kind, facts = {}, startedMs }: SpanStart) {
  return {
    kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
    attributes: facts,
    ...(startedMs !== undefined && { startTime: startedMs }),
  };
}

function createSampler({ sampler, ratio }: Pick<TracingOptions, "sampler" | "ratio">): Sampler {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const name = sampler.replace("parentbased_", "") as keyof typeof samplers;
  const root = samplers[name]();
  return name === sampler ? root : new ParentBasedSampler({ root });
}

function ignore(): void {}

/** Failed exports, dropped spans and unusable settings; at most one line a minute. */
function logProblems(log: Logger): void {
  let nextMs = 0;
  let suppressed = 0;
  const report = (problem: string): void => {
    if (performance.now() < nextMs) {
      suppressed += 1;
      return;
    }
    log.warn({ problem, suppressed }, "OpenTelemetry reported a problem; traces may be incomplete");
    nextMs = performance.now() + LOG_INTERVAL_MS;
    suppressed = 0;
  };
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  setGlobalErrorHandler((error) => report(typeof error === "string" ? error : (error.message ?? "an export failed")));
}
