/** Sockets that speak no more HTTP than they are told to, as an attacker's do. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawSocket = {
  socket: Socket;
  /** What has arrived so far. */
  received: () => string;
};

/** Connects to a port of this machine and sends `text` as it is. */
export function openRaw(port: number, text: string, localAddress = "127.0.0.1"): RawSocket {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  let received = "";
  socket.on("data", (part) => (received += part.toString()));
  // A limit may cut it off at any time.
  socket.on("error", () => {});
  socket.write(text);
  return { socket, received: () => received };
}

/** Resolves once the other side has closed the socket. */
export async function untilClosed({ socket }: RawSocket): Promise<void> {
  if (!socket.closed) await once(socket, "close");
}

/** The head of a request that asks for another protocol. */
export function upgradeHead(path: string, protocol: string, more = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${more}\r\n`;
}

/** What a WebSocket's first request holds besides. */
export const WEBSOCKET_HEADERS = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
