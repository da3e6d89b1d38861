import { z } from "zod";
import { component } from "../component.ts";

export const DOMAIN_STATUSES = ["active", "inactive"] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

export const CLOAK_LIMITS = { notesCharacters: 2_000, slugCharacters: 500, urlCharacters: 2_000 } as const;

export const Domain = component("Domain", () => ({
  id: z.string(),
  name: z.string().describe("Lower case, punycode."),
  notes: z.string().nullable(),
  status: z.enum(DOMAIN_STATUSES),
  created_at: z.string(),
}));
export type Domain = z.infer<typeof Domain>;

export const Route = component("Route", () => ({
  id: z.string(),
  domain_id: z.string(),
  slug: z.string().describe("No leading slashes; `__root__` for the domain itself."),
  primary_url: z.string(),
  fallback_url: z.string().nullable(),
  active: z.boolean(),
  created_at: z.string(),
}));
export type Route = z.infer<typeof Route>;

export const INVALID_DOMAIN = "Invalid domain format";
export const PRIMARY_URL_RULE = "Primary URL must start with http:// or https://";
export const FALLBACK_URL_RULE = "Fallback URL must start with http:// or https://";

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOSTNAME = new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`);
const MAX_HOSTNAME = 253;

/** Returns the stored form (lower case, punycode), or null if not a host name. */
export function toDomainName(text: string): string | null {
  const lower = text.trim().toLowerCase();
  const name = isAscii(lower) ? lower : toPunycode(lower);
  return name !== null && name.length <= MAX_HOSTNAME && HOSTNAME.test(name) ? name : null;
}

export function cleanSlug(text: string): string {
  return text.replace(/^[\s/]+/, "").trimEnd();
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** Returns null if a URL parser would find more than a host. */
function toPunycode(text: string): string | null {
  if (/[\s/\\:@?#%[\]]/.test(text)) return null;
  return URL.parse(`http://${text}`)?.hostname ?? null;
}

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
