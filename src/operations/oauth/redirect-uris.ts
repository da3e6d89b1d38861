/** Where a browser may take an authorization code (RFC 8252, RFC 9700 section 4.1). */

const LOOPBACK_HOSTS = new Set(["127.0.0.1", "[::1]", "localhost"]);
const MAX_CHARACTERS = 500;

/**
 * Apps' own schemes are named after a domain (RFC 8252 section 7.1), such as "com.example.app". Cursor, VS Code and
 * Windsurf use these instead. Any other scheme could start a program of the operating system.
 */
const SCHEMES_OF_EDITORS = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"]);

/** A parser would drop or escape others, so that the address would not be the one that was registered. */
const CHARACTERS = /^[\w!$%&'()*+,./:;=?@[\]~-]+$/;

/** Returns why an assistant cannot use this address, or null. */
export function problemOfRedirectUri(uri: string): string | null {
  if (uri.includes("#")) return "A redirect URI must not have a fragment.";
  const url = uri.length <= MAX_CHARACTERS && CHARACTERS.test(uri) ? URL.parse(uri) : null;
  if (!url) return "A redirect URI is not a valid address.";
  if (url.username || url.password) return "A redirect URI must not have a user name.";
  if (url.protocol === "https:" || isLoopback(url)) return null;
  if (url.protocol === "http:") return "A redirect URI with http must be on this computer, such as 127.0.0.1.";
  if (url.protocol.includes(".") || isExtension(url)) return null;
  return "A redirect URI must start with https, with http on this computer, or with a scheme named after a domain.";
}

/** Extensions are named "publisher.name". Editors' other links open files and settings, and a deeplink installs servers. */
function isExtension({ protocol, hostname }: URL): boolean {
  return SCHEMES_OF_EDITORS.has(protocol) && hostname.includes(".") && !hostname.endsWith("-deeplink");
}

/** Requires the exact text. On this computer, the port may differ: apps listen on a free one (RFC 8252 section 7.3). */
export function isRegistered(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true;
  if (problemOfRedirectUri(requested) !== null) return false;
  return (
    isLoopback(new URL(requested)) &&
    registered.some((uri) => isLoopback(new URL(uri)) && withoutPort(uri) === withoutPort(requested))
  );
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && LOOPBACK_HOSTS.has(hostname);
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/[^/?]+?):\d+(?=[/?]|$)/i, "$1");
}

export type RedirectTarget = { kind: "website" | "computer" | "app"; name: string };

export function describeTarget(uri: string): RedirectTarget {
  const url = new URL(uri);
  if (isLoopback(url)) return { kind: "computer", name: url.host };
  return url.protocol === "https:"
    ? { kind: "website", name: url.host }
    : { kind: "app", name: url.protocol.slice(0, -1) };
}

/** Appends to the address's text: assistants compare it with what they registered. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given).toString()}`;
}
