import { z } from "zod";
import { component } from "../component.ts";

export const EnvironmentCheck = component(
  "EnvironmentCheck",
  "`missing` has setting names, or one of three markers set by the browser.",
  () => ({
    isValid: z.boolean(),
    missing: z.array(z.string()),
    wrongUrl: z.boolean().describe("VPS_SYNC_URL is not a redirector's publish URL; `expectedUrl` is the right one."),
    expectedUrl: z.string().nullable(),
    error: z.string().nullable(),
  }),
);
export type EnvironmentCheck = z.infer<typeof EnvironmentCheck>;

/** Set when a check has no result: error response, unreachable server, unreadable response. */
export type CheckMarker = "VALIDATION_FAILED" | "CONNECTION_FAILED" | "VALIDATION_ERROR";

/** cloak-publisher: `{}` publishes the current routes, `{version}` an earlier version. */
export type PublishRequest = { version?: number };
export const PublishResult = component("PublishResult", () => ({
  success: z.boolean(),
  message: z.string().nullable(),
  error: z.string().nullable(),
}));
export type PublishResult = z.infer<typeof PublishResult>;

export const PendingChange = component("PendingChange", () => ({
  kind: z.enum(["added", "changed", "removed"]),
  address: z.string(),
  before: z.string().nullable().describe("Redirect targets now and after the next publish; null for none."),
  after: z.string().nullable(),
}));
export type PendingChange = z.infer<typeof PendingChange>;

export const PublishedVersion = component("PublishedVersion", () => ({
  version: z.number(),
  publishedAt: z.string(),
  publishedBy: z.string().nullable().describe("Email address; null if the account was deleted."),
  routes: z.number(),
  isCurrent: z.boolean(),
}));
export type PublishedVersion = z.infer<typeof PublishedVersion>;

export const RouteHealth = component("RouteHealth", "Only routes with a fallback are checked.", () => ({
  routeId: z.string(),
  state: z.enum(["up", "down", "unknown"]),
  checkedAt: z.string().nullable(),
  reason: z.string().nullable(),
}));
export type RouteHealth = z.infer<typeof RouteHealth>;

export const CloakStateResponse = component("CloakStateResponse", () => ({
  pendingCount: z.number().describe("Domain and route changes since the last publish."),
  differences: z.number().describe("Addresses whose redirect the next publish changes; `pending` has the first 500."),
  pending: z.array(PendingChange),
  isRolledBack: z
    .boolean()
    .describe("An earlier version was published again, and no domain or route has changed since. Auto-publish waits."),
  lastPublishedAt: z.string().nullable(),
  versions: z.array(PublishedVersion).describe("The last 10, newest first."),
  health: z.array(RouteHealth),
  counts: z.array(z.object({ routeId: z.string(), today: z.number(), last7Days: z.number() })),
}));
export type CloakStateResponse = z.infer<typeof CloakStateResponse>;
