/** Keeps third-party redirects from reaching this machine and its network (SSRF). */
import dns from "node:dns";
import net from "node:net";
import ipaddr from "ipaddr.js";
import { buildConnector } from "undici";

/** All public IPv6. Others include embedded addresses such as ::7f00:1, which some systems treat as 127.0.0.1. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** False for loopback, private, link-local and reserved addresses, and embedded forms of these. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` reads ::ffff:127.0.0.1 as 127.0.0.1.
  const read = ipaddr.process(address);
  return read.range() === "unicast" && (read instanceof ipaddr.IPv4 || read.match(GLOBAL_IPV6));
}

/** True for a non-public IP address. Names are looked up only at a request. */
export function isPrivateLiteral(hostname: string): boolean {
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  return isAddress && !isPublicAddress(hostname.replaceAll(/[[\]]/g, ""));
}

export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

/** Rejects non-public addresses before sending a packet. */
export function connectToPublicAddresses(): buildConnector.connector {
  const connect = buildConnector({ lookup: lookUpPublic });
  return (options, callback) => {
    // A literal address is never looked up.
    const literal = options.hostname.replace(/^\[|\]$/g, "");
    if (net.isIP(literal) !== 0 && !isPublicAddress(literal)) {
      callback(new ForbiddenAddressError("Connections to addresses that are not public are not allowed."), null);
    } else {
      connect(options, callback);
    }
  };
}

/** For protocols other than HTTP. Emits ForbiddenAddressError for an untrusted non-public address before sending a packet. */
export function openGuardedSocket({
  host,
  port,
  isTrusted,
}: {
  host: string;
  port: number;
  isTrusted: boolean;
}): net.Socket {
  if (isTrusted) return net.connect({ host, port, noDelay: true });
  if (net.isIP(host) === 0 || isPublicAddress(host))
    return net.connect({ host, port, noDelay: true, lookup: lookUpPublic });
  return new net.Socket().destroy(
    new ForbiddenAddressError("Connections to addresses that are not public are not allowed."),
  );
}

/** Fails with ForbiddenAddressError if an address is not public. */
export const lookUpPublic: net.LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const first = addresses?.[0];
    if (error || !first) {
      callback(error ?? new Error("The host name has no IP address."), "");
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new ForbiddenAddressError("The host name resolves to an address that is not public."), "");
    } else if (options.all) {
      callback(null, addresses);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
