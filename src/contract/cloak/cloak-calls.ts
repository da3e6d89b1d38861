/** Request and response types of the Cloak Manager's functions (SPEC section 7 and extensions). */

/** Function cloak-env-validator. `missing` contains setting names, or one of three markers set by the browser. */
export type EnvironmentCheck = {
  isValid: boolean;
  missing: string[];
  /** True if VPS_SYNC_URL is not a redirector's publish URL; `expectedUrl` is then the expected one. */
  wrongUrl: boolean;
  expectedUrl: string | null;
  error: string | null;
};

/** Why a check has no result: error response, unreachable server, or unreadable response. */
export type CheckMarker = "VALIDATION_FAILED" | "CONNECTION_FAILED" | "VALIDATION_ERROR";

/** Function cloak-publisher: `{}` publishes the current routes, `{version}` republishes an earlier version. */
export type PublishRequest = { version?: number };
export type PublishResult = { success: boolean; message: string | null; error: string | null };

/** A difference between the saved and the published routes. */
export type PendingChange = {
  kind: "added" | "changed" | "removed";
  /** Such as `https://example.com/spring`. */
  address: string;
  /** The redirect targets now and after the next publish; null if there is none. */
  before: string | null;
  after: string | null;
};

export type PublishedVersion = {
  version: number;
  publishedAt: string;
  /** Email address; null if the account was deleted. */
  publishedBy: string | null;
  routes: number;
  isCurrent: boolean;
};

/** Only routes with a fallback are checked. */
export type RouteHealth = {
  routeId: string;
  state: "up" | "down" | "unknown";
  checkedAt: string | null;
  reason: string | null;
};

/** Redirects of a route, by UTC day. */
type RouteCount = { routeId: string; today: number; last7Days: number };

/** Function cloak-state: `{method:"GET"}`. Pending changes and published versions. */
export type CloakStateResponse = {
  /** Changes to domains and routes since the last publish. */
  pendingCount: number;
  /** Addresses whose redirect changes with the next publish; `pending` lists the first 500. */
  differences: number;
  pending: PendingChange[];
  lastPublishedAt: string | null;
  /** The last 10, newest first. */
  versions: PublishedVersion[];
  health: RouteHealth[];
  counts: RouteCount[];
};
