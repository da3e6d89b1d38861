/** `missing` has setting names, or one of three markers set by the browser. */
export type EnvironmentCheck = {
  isValid: boolean;
  missing: string[];
  /** VPS_SYNC_URL is not a redirector's publish URL; `expectedUrl` is the right one. */
  wrongUrl: boolean;
  expectedUrl: string | null;
  error: string | null;
};

/** Set when a check has no result: error response, unreachable server, unreadable response. */
export type CheckMarker = "VALIDATION_FAILED" | "CONNECTION_FAILED" | "VALIDATION_ERROR";

/** cloak-publisher: `{}` publishes the current routes, `{version}` an earlier version. */
export type PublishRequest = { version?: number };
export type PublishResult = { success: boolean; message: string | null; error: string | null };

export type PendingChange = {
  kind: "added" | "changed" | "removed";
  address: string;
  /** Redirect targets now and after the next publish; null for none. */
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

/** By UTC day. */
type RouteCount = { routeId: string; today: number; last7Days: number };

export type CloakStateResponse = {
  /** Domain and route changes since the last publish. */
  pendingCount: number;
  /** Addresses whose redirect the next publish changes; `pending` has the first 500. */
  differences: number;
  pending: PendingChange[];
  /** An earlier version was published again, and no domain or route has changed since. Auto-publish waits. */
  isRolledBack: boolean;
  lastPublishedAt: string | null;
  /** The last 10, newest first. */
  versions: PublishedVersion[];
  health: RouteHealth[];
  counts: RouteCount[];
};
