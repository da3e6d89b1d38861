import { existsSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";

type ConnectionLedger = {
  /**
   * At a limit, destroys the connection that has waited longest for a request: the client's, or anyone's if the port is
   * full. If none waits, destroys the new one.
   */
  open(socket: Socket, client: string): void;
  /**
   * Records a request of `client`, which can vary on a proxy's connection. Returns false if all its connections are in
   * use.
   */
  begin(socket: Socket, client: string): boolean;
  end(socket: Socket): void;
  /** True while no request is in flight. */
  isWaiting(socket: Socket): boolean;
  /** Destroys waiting connections; others close after their last response. */
  drain(): void;
  destroyAll(): void;
};

type Held = { client: string; inFlight: number };

/** `waiting` has the longest wait first. */
type Share = { count: number; waiting: Set<Socket> };

/** Tracks one port's connections until they close. After `drain`, destroys new ones. */
export function createConnectionLedger({ maxPerClient, maxOpen }: ConnectionLimits): ConnectionLedger {
  const held = new Map<Socket, Held>();
  const shares = new Map<string, Share>();
  const waiting = new Set<Socket>();
  let isDraining = false;

  const join = (client: string): Share => {
    const share = shares.get(client) ?? { count: 0, waiting: new Set<Socket>() };
    shares.set(client, share);
    share.count += 1;
    return share;
  };
  const leave = (socket: Socket, client: string): void => {
    const share = shares.get(client)!;
    share.waiting.delete(socket);
    share.count -= 1;
    if (share.count === 0) shares.delete(client);
  };
  const forget = (socket: Socket): void => {
    const connection = held.get(socket);
    if (!connection) return;
    held.delete(socket);
    waiting.delete(socket);
    leave(socket, connection.client);
  };
  const wait = (socket: Socket, share: Share): void => {
    share.waiting.add(socket);
    waiting.add(socket);
  };
  /** Evicts the longest-waiting candidate at the limit. Returns false if none waits. */
  const makeRoom = (count: number, most: number, candidates: Iterable<Socket>): boolean => {
    if (count < most) return true;
    for (const oldest of candidates) {
      forget(oldest);
      oldest.destroy();
      return true;
    }
    return false;
  };
  const makeRoomFor = (client: string): boolean => {
    const share = shares.get(client);
    return !share || makeRoom(share.count, maxPerClient, share.waiting);
  };

  return {
    open(socket, client) {
      if (isDraining || !makeRoomFor(client) || !makeRoom(held.size, maxOpen, waiting)) {
        socket.destroy();
        return;
      }
      held.set(socket, { client, inFlight: 0 });
      wait(socket, join(client));
      socket.once("close", () => forget(socket));
    },
    begin(socket, client) {
      const connection = held.get(socket);
      // Evicted while its request was read.
      if (!connection) return true;
      if (connection.client !== client) {
        if (!makeRoomFor(client)) return false;
        leave(socket, connection.client);
        join(client);
        connection.client = client;
      }
      connection.inFlight += 1;
      waiting.delete(socket);
      shares.get(client)!.waiting.delete(socket);
      return true;
    },
    end(socket) {
      const connection = held.get(socket);
      if (!connection) return;
      connection.inFlight -= 1;
      if (connection.inFlight > 0) return;
      if (isDraining) socket.destroySoon();
      else wait(socket, shares.get(connection.client)!);
    },
    isWaiting: (socket) => waiting.has(socket),
    drain() {
      isDraining = true;
      for (const socket of waiting) socket.destroy();
    },
    destroyAll() {
      for (const socket of held.keys()) socket.destroy();
    },
  };
}

export type ConnectionLimits = {
  maxPerClient: number;
  maxOpen: number;
};

const MAX_PER_CLIENT = 1_000;
const MAX_OPEN = 20_000;
/** A port gets 1/3 of the process's descriptors; with two ports, a third remains for files and ffmpeg. */
const PARTS = 3;

const LIMITS_FILE = "/proc/self/limits";
/** The per-process maximum on macOS. */
const DESCRIPTORS_ELSEWHERE = 10_240;

/** No client can fill a port. */
export function connectionLimits(descriptors = readDescriptorLimit()): ConnectionLimits {
  const maxOpen = Math.min(MAX_OPEN, Math.floor(descriptors / PARTS));
  return { maxOpen, maxPerClient: Math.min(MAX_PER_CLIENT, Math.floor(maxOpen / 2)) };
}

function readDescriptorLimit(): number {
  const limits = existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, "utf8") : "";
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? DESCRIPTORS_ELSEWHERE : Number(soft);
}

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type IsKnownProxy = (address: Address) => boolean;

/** Always accepts loopback addresses. */
export function createProxyCheck(networks: readonly string[]): IsKnownProxy {
  const ranges = networks.map((name) => {
    if (ipaddr.isValidCIDR(name)) return ipaddr.parseCIDR(name);
    const address = ipaddr.process(name);
    return [address, address.kind() === "ipv4" ? 32 : 128] as [Address, number];
  });
  return (address) =>
    address.range() === "loopback" ||
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Converts IPv4-mapped IPv6 to IPv4. */
export function parseAddress(text: string | undefined): Address | null {
  return text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/** Follows X-Forwarded-For from the nearest proxy while proxies are known. */
export function readClient(peer: Address, forwardedFor: string | undefined, isKnownProxy: IsKnownProxy): Address {
  const forwarded = forwardedFor?.split(",") ?? [];
  let client = peer;
  while (forwarded.length > 0 && isKnownProxy(client)) {
    const next = parseAddress(forwarded.pop()!.trim());
    if (!next) break;
    client = next;
  }
  return client;
}

/** Uses an IPv6 address's /64 network, because one household has 2^64 addresses. */
export function rateLimitKey(address: Address | null): string {
  if (!address) return "unknown";
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
