import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { endSlowRequests } from "./open-port.ts";

async function dribble(port: number, path: string): Promise<"cut" | "responded"> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{`);
  const ended = once(socket, "close").then(() => "cut" as const);
  const responded = once(socket, "data").then(() => "responded" as const);
  const how = await Promise.race([ended, responded]);
  socket.destroy();
  return how;
}

test("disconnects clients with unfinished requests, but not uploads and long responses", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/zip") setTimeout(() => response.end("late"), 300);
    else if (request.url === "/uploads") setTimeout(() => response.end("still here"), 300);
    else request.resume();
  });
  endSlowRequests(server, { slowPath: "/uploads", maxMs: 50, stallMs: 50 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    expect(await dribble(port, "/auth/v1/token")).toBe("cut");
    expect(await dribble(port, "/uploads")).toBe("responded");
    expect(await (await fetch(`http://127.0.0.1:${port}/zip`)).text()).toBe("late");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
