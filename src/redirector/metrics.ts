import type { VisitCounts } from "./answer-visitor.ts";
import type { RoutingTable } from "./config/routing-table.ts";

export function writeMetrics(table: RoutingTable | null, tally: VisitCounts): string {
  const checks = [...(table?.checks.values() ?? [])];
  const down = checks.filter((check) => check.state === "down").length;
  const lines = [
    ...metric("clipmill_redirects_total", "counter", "Requests redirected.", tally.redirects),
    ...metric("clipmill_not_found_total", "counter", "Requests answered with status 404.", tally.notFound),
    ...metric("clipmill_not_allowed_total", "counter", "Requests answered with status 405.", tally.notAllowed),
    ...metric("clipmill_published_version", "gauge", "Configuration version being served.", table?.header.version ?? 0),
    ...metric("clipmill_published_routes", "gauge", "Routes being served.", table?.header.routes ?? 0),
    ...metric(
      "clipmill_checked_primaries",
      "gauge",
      "Primary URLs with a fallback, which are health-checked.",
      checks.length,
    ),
    ...metric("clipmill_down_primaries", "gauge", "Primary URLs that are down.", down),
    ...metric("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", process.memoryUsage.rss()),
  ];
  return `${lines.join("\n")}\n`;
}

function metric(name: string, type: "counter" | "gauge", help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
