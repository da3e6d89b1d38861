/** Counts the connections of a port by client, and makes room when there are too many. */
import type { Socket } from "node:net";
import type { ConnectionLimits } from "./connection-limits.ts";

export type ConnectionLedger = {
  /**
   * Takes in a new connection. Where a limit is reached, the connection that has waited longest for a request is destroyed:
   * one of the same client, or of any client when the port is full. Where none waits, the new one is destroyed.
   */
  open(socket: Socket, client: string): void;
  /**
   * Notes a request of `client`, which for a proxy's connection may be another one each time. Returns false when that client
   * already has as many connections in use as it may.
   */
  begin(socket: Socket, client: string): boolean;
  /** Notes that a request was answered. */
  end(socket: Socket): void;
  /** Returns true while no request on the connection waits for its answer. */
  isWaiting(socket: Socket): boolean;
  /** Destroys the connections that wait for a request; the others follow with their last answer. */
  drain(): void;
  destroyAll(): void;
};

type Held = { client: string; unanswered: number };

/** The connections of one client: how many, and which of them wait, longest first. */
type Share = { count: number; waiting: Set<Socket> };

export function createConnectionLedger({ mostPerClient, mostOpen }: ConnectionLimits): ConnectionLedger {
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
  /** Returns false when there are too many and none of them waits. */
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
    return !share || makeRoom(share.count, mostPerClient, share.waiting);
  };

  return {
    open(socket, client) {
      if (isDraining || !makeRoomFor(client) || !makeRoom(held.size, mostOpen, waiting)) {
        socket.destroy();
        return;
      }
      held.set(socket, { client, unanswered: 0 });
      wait(socket, join(client));
      socket.once("close", () => forget(socket));
    },
    begin(socket, client) {
      const connection = held.get(socket);
      // It was destroyed to make room while its request was being read.
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
