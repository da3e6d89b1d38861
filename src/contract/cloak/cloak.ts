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
