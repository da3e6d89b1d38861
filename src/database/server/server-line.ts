import { Socket } from "node:net";

const CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
/**
 * By default, the server keeps a dead connection's locks for two hours. No transaction of ours pauses this long between
 * statements.
 */
const SESSION_SETTINGS = {
  idle_in_transaction_session_timeout: "15s",
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
};

type ServerLine = {
  options: {
    connectionString: string;
    options: string | undefined;
    connectionTimeoutMillis: number;
    keepAlive: boolean;
    keepAliveInitialDelayMillis: number;
    stream: () => Socket;
  };
  /** Breaks all connections: pending queries fail, the next one reconnects. */
  drop(): void;
};

export type ServerLines = {
  pooled: ServerLine["options"];
  /** For LISTEN and locks that outlast a transaction. */
  session: ServerLine["options"];
  drop(): void;
};

/**
 * With a `sessionUrl`, `databaseUrl` may be a pool that gives each transaction another connection and rejects startup
 * settings.
 */
export function openServerLines(databaseUrl: string, sessionUrl?: string): ServerLines {
  if (sessionUrl === undefined) {
    const line = openServerLine(databaseUrl);
    return { pooled: line.options, session: line.options, drop: () => line.drop() };
  }
  const lines = [openServerLine(databaseUrl), openServerLine(sessionUrl)] as const;
  return {
    pooled: { ...lines[0].options, connectionString: databaseUrl, options: undefined },
    session: lines[1].options,
    drop: () => lines.forEach((line) => line.drop()),
  };
}

/**
 * On a connection that silently drops packets (pulled cable, firewall timeout), a query waits 15 minutes unless `drop`
 * is called. A timeout per query would also end slow, healthy ones.
 */
function openServerLine(databaseUrl: string): ServerLine {
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

/** Merges our settings with the URL's `options`, which take precedence and would otherwise replace all of ours. */
function withSettings(databaseUrl: string): Pick<ServerLine["options"], "connectionString" | "options"> {
  const ours = Object.entries(SESSION_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const address = new URL(databaseUrl);
  const theirs = address.searchParams.get("options");
  if (theirs === null) return { connectionString: databaseUrl, options: ours.join(" ") };
  address.searchParams.delete("options");
  return { connectionString: address.href, options: [...ours, theirs].join(" ") };
}
