import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawSocket = {
  socket: Socket;
  received: () => string;
};

/** Sends `text` verbatim. */
export function openRaw(port: number, text: string, localAddress = "127.0.0.1"): RawSocket {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  let received = "";
  socket.on("data", (part) => (received += part.toString()));
  // The server may close the connection at any time.
  socket.on("error", () => {});
  socket.write(text);
  return { socket, received: () => received };
}

/** Rejects if the socket fails first; has no timeout. */
export async function waitUntilClosed({ socket }: RawSocket): Promise<void> {
  if (!socket.closed) await once(socket, "close");
}

/** `more` contains further header lines, each ending with CRLF. */
export function upgradeHead(path: string, protocol: string, more = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${more}\r\n`;
}

export const WEBSOCKET_HEADERS = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
