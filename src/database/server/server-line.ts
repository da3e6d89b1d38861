/** All connections of this process to one PostgreSQL server. */
import { Socket } from "node:net";

/** A server that is there takes a connection in far less. */
const CONNECT_MS = 5_000;
/** After so long without a word the system asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;
/**
 * The server's side: of a client behind a dead line it hears nothing either, and by its own settings keeps that client's locks
 * for two hours. No transaction of ours waits so long for its next statement.
 */
const SESSION_SETTINGS = {
  idle_in_transaction_session_timeout: "15s",
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
};

export type ServerLine = {
  /** What a client or a pool needs to connect. */
  options: {
    connectionString: string;
    options: string;
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
      ...withSettings(databaseUrl),
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

/** Of the address's own `options` those that say otherwise count; left where they are, they would take the place of all of ours. */
function withSettings(databaseUrl: string): Pick<ServerLine["options"], "connectionString" | "options"> {
  const ours = Object.entries(SESSION_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const address = new URL(databaseUrl);
  const theirs = address.searchParams.get("options");
  if (theirs === null) return { connectionString: databaseUrl, options: ours.join(" ") };
  address.searchParams.delete("options");
  return { connectionString: address.href, options: [...ours, theirs].join(" ") };
}
