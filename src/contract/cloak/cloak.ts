/** Domains and routes of the Cloak Manager: their rows and their rules (SPEC sections 3 and 5). Free of zod, so that the form can load it at once. */

export const DOMAIN_STATUSES = ["active", "inactive"] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

export const CLOAK_LIMITS = { notesCharacters: 2_000, slugCharacters: 500, urlCharacters: 2_000 } as const;

/** A row of the table domains. */
export type Domain = {
  id: string;
  /** Lower case; Unicode names in punycode. */
  name: string;
  notes: string | null;
  status: DomainStatus;
  created_at: string;
};

/** A row of the table routes. */
export type Route = {
  id: string;
  domain_id: string;
  /** Without leading slashes; `__root__` for the domain itself. */
  slug: string;
  primary_url: string;
  fallback_url: string | null;
  active: boolean;
  created_at: string;
};

export const INVALID_DOMAIN = "Invalid domain format";
export const PRIMARY_URL_RULE = "Primary URL must start with http:// or https://";
export const FALLBACK_URL_RULE = "Fallback URL must start with http:// or https://";

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOSTNAME = new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`);
const LONGEST_HOSTNAME = 253;

/** The name a domain is stored under: trimmed, in lower case, Unicode as punycode. Null when it is no host name. */
export function toDomainName(text: string): string | null {
  const lower = text.trim().toLowerCase();
  const name = isAscii(lower) ? lower : toPunycode(lower);
  return name !== null && name.length <= LONGEST_HOSTNAME && HOSTNAME.test(name) ? name : null;
}

/** A slug without surrounding spaces and leading slashes. */
export function cleanSlug(text: string): string {
  return text.replace(/^[\s/]+/, "").trimEnd();
}

/** True for an address that a visitor can be sent to. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** Null for text in which a URL would see more than a host. */
function toPunycode(text: string): string | null {
  if (/[\s/\\:@?#%[\]]/.test(text)) return null;
  return URL.parse(`http://${text}`)?.hostname ?? null;
}
