import type { Logger } from "pino";
import type { Tracing } from "#ground/tracing/tracing.ts";
import type { Config } from "../config.ts";
import packageJson from "../../package.json" with { type: "json" };

/** Returns null, and loads nothing, without OTEL_EXPORTER_OTLP_ENDPOINT. `service` is what OTEL_SERVICE_NAME replaces. */
export async function openTracing(
  config: Config,
  service: string,
  log: Logger,
): Promise<(Tracing & AsyncDisposable) | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio = 1 } = config;
  if (endpoint === undefined) return null;
  const { openTelemetry } = await import("#integrations/open-telemetry.ts");
  const sampler = config.OTEL_TRACES_SAMPLER ?? "parentbased_always_on";
  return openTelemetry({ endpoint, service, version: packageJson.version, sampler, ratio, log });
}
