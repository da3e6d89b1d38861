import type { Tally } from "./answer-visitor.ts";
import type { RoutingTable } from "./config/routing-table.ts";

export function writeMetrics(table: RoutingTable | null, tally: Tally): string {
  const checks = [...(table?.checks.values() ?? [])];
  const down = checks.filter((check) => check.state === "down").length;
  const lines = [
    ...metric("clipmill_redirects_total", "counter", "Visitors redirected.", tally.redirects),
    ...metric("clipmill_not_found_total", "counter", "Visitors answered 404.", tally.notFound),
    ...metric("clipmill_not_allowed_total", "counter", "Requests answered 405.", tally.notAllowed),
    ...metric("clipmill_published_version", "gauge", "The version that is served.", table?.header.version ?? 0),
    ...metric("clipmill_published_routes", "gauge", "Routes that are served.", table?.header.routes ?? 0),
    ...metric("clipmill_checked_primaries", "gauge", "Primary URLs with a fallback.", checks.length),
    ...metric("clipmill_down_primaries", "gauge", "Primary URLs that are down.", down),
    ...metric("process_resident_memory_bytes", "gauge", "Memory of the process.", process.memoryUsage.rss()),
  ];
  return `${lines.join("\n")}\n`;
}

function metric(name: string, type: "counter" | "gauge", help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
