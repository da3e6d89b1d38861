/** All connections of this process to one PostgreSQL server. */
import { Socket } from "node:net";

/** A server that is there takes a connection in far less. */
const CONNECT_MS = 5_000;
/** After so long without a word the system asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;

export type ServerLine = {
  /** What a client or a pool needs to connect. */
  options: {
    connectionString: string;
    connectionTimeoutMillis: number;
    keepAlive: boolean;
    keepAliveInitialDelayMillis: number;
    stream: () => Socket;
  };
  /** Breaks all connections. What waits for an answer on one of them fails, and the next query connects anew. */
  drop(): void;
};

/**
 * The line to a server. On a line that swallows what is sent (a cable pulled, a firewall that forgot), a query waits for a
 * quarter of an hour unless somebody drops it; to give every query a time limit would end the long ones that are well.
 */
export function openServerLine(databaseUrl: string): ServerLine {
  const sockets = new Set<Socket>();
  const stream = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  return {
    options: {
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      stream,
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
