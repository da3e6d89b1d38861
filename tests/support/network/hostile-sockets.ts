/**
 * Attacks from 127.0.0.2 in a process of its own. Arguments: a port and the number of connections of each kind. Sends
 * "open" to its parent once all were attempted, and keeps them until it exits.
 */
import { once } from "node:events";
import { openRaw, upgradeHead } from "./raw-sockets.ts";

const ADDRESS = "127.0.0.2";

const [port, upgrades, idle, slowHeads] = process.argv.slice(2).map(Number) as [number, number, number, number];
const kinds: [count: number, text: string][] = [
  [upgrades, upgradeHead("/health", "h2c", "HTTP2-Settings: AAMAAABkAAQAAP__\r\n")],
  [idle, ""],
  [slowHeads, "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
];
const opened = kinds.flatMap(([count, text]) => Array.from({ length: count }, () => openRaw(port, text, ADDRESS)));
await Promise.allSettled(opened.map(({ socket }) => once(socket, "connect")));
process.send!("open");
