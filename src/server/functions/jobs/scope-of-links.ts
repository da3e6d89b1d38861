import type { TokenScope } from "#contract/api-tokens.ts";
import type { Fields } from "../define-call.ts";

/** Starting, changing or deleting a job with links changes Cloak Manager routes. */
export function scopeOfLinks(touchesLinks: boolean): TokenScope | TokenScope[] {
  return touchesLinks ? ["jobs:write", "cloak"] : "jobs:write";
}

export function hasLinks(settings: unknown): boolean {
  return Object.entries(asFields(settings)).some(([name, value]) => name.startsWith("link_") && value !== null);
}

export function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
