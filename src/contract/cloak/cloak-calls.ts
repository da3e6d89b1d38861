/** What the functions of the Cloak Manager take and answer (SPEC section 7, and what goes beyond it), as types. */

/** Function cloak-env-validator. `missing` names settings, or one of the three markers that the browser sets. */
export type EnvironmentCheck = {
  isValid: boolean;
  missing: string[];
  /** True when VPS_SYNC_URL is set to an address that is not a redirector's; `expectedUrl` then says which is expected. */
  wrongUrl: boolean;
  expectedUrl: string | null;
  error: string | null;
};

/** Why a check did not come to a result: it answered with an error, it was not reached, or its answer made no sense. */
export type CheckMarker = "VALIDATION_FAILED" | "CONNECTION_FAILED" | "VALIDATION_ERROR";

/** Function cloak-publisher: `{}` publishes what there is now, `{version}` publishes an earlier version again. */
export type PublishRequest = { version?: number };
export type PublishResult = { success: boolean; message: string | null; error: string | null };

/** One difference between what is saved and what is published. */
export type PendingChange = {
  kind: "added" | "changed" | "removed";
  /** The public address it is about, such as `https://example.com/spring`. */
  address: string;
  /** Where visitors are sent now, and after the next publish; null where there is nothing. */
  before: string | null;
  after: string | null;
};

export type PublishedVersion = {
  version: number;
  publishedAt: string;
  /** Email address of who published it; null when that account is gone. */
  publishedBy: string | null;
  routes: number;
  isCurrent: boolean;
};

/** The health of a route that has a fallback. Routes that are not checked are not listed. */
export type RouteHealth = {
  routeId: string;
  state: "up" | "down" | "unknown";
  checkedAt: string | null;
  reason: string | null;
};

/** Redirects of a route, on days of UTC. */
type RouteCount = { routeId: string; today: number; last7Days: number };

/** Function cloak-state: `{method:"GET"}`. The server's word on what is pending and what was published. */
export type CloakStateResponse = {
  /** Number of changes to domains and routes since the last publish. */
  pendingCount: number;
  /** Number of addresses that the next publish changes for visitors; the first 500 are listed. */
  differences: number;
  pending: PendingChange[];
  lastPublishedAt: string | null;
  /** The last 10, newest first. */
  versions: PublishedVersion[];
  health: RouteHealth[];
  counts: RouteCount[];
};
