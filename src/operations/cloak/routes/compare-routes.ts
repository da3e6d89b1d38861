import type { PendingChange } from "#contract/cloak/cloak.ts";
import { publicAddress, type PublishedRoute } from "#contract/cloak/published-config.ts";

export function compareRoutes(published: PublishedRoute[], wanted: PublishedRoute[]): PendingChange[] {
  const before = new Map(published.map((route) => [publicAddress(route), route]));
  const after = new Map(wanted.map((route) => [publicAddress(route), route]));
  const addresses = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return addresses.flatMap((address) => compareAddress(address, before.get(address), after.get(address)));
}

function compareAddress(
  address: string,
  before: PublishedRoute | undefined,
  after: PublishedRoute | undefined,
): PendingChange[] {
  if (!before) return [{ kind: "added", address, before: null, after: after!.primary }];
  if (!after) return [{ kind: "removed", address, before: before.primary, after: null }];
  if (before.fallback !== after.fallback) {
    return [{ kind: "changed", address, before: withFallback(before), after: withFallback(after) }];
  }
  // A recreated route has another id, counted separately.
  if (before.primary === after.primary && before.id === after.id) return [];
  return [{ kind: "changed", address, before: before.primary, after: after.primary }];
}

function withFallback({ primary, fallback }: PublishedRoute): string {
  return fallback === null ? `${primary} (no fallback)` : `${primary} (fallback: ${fallback})`;
}
