import type { Socket } from "node:net";
import type { ConnectionLimits } from "./connection-limits.ts";

export type ConnectionLedger = {
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
  /** True while no request is unanswered. */
  isWaiting(socket: Socket): boolean;
  /** Destroys waiting connections; others close after their last response. */
  drain(): void;
  destroyAll(): void;
};

type Held = { client: string; unanswered: number };

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
      held.set(socket, { client, unanswered: 0 });
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
      connection.unanswered += 1;
      waiting.delete(socket);
      shares.get(client)!.waiting.delete(socket);
      return true;
    },
    end(socket) {
      const connection = held.get(socket);
      if (!connection) return;
      connection.unanswered -= 1;
      if (connection.unanswered > 0) return;
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
