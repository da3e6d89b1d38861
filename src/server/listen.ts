import type { AddressInfo } from "node:net";
import type { ServerType } from "@hono/node-server";
import { ClipmillError } from "#contract/errors.ts";

/**
 * Listens on a port of a host, 0 for a free one. Throws ClipmillError "conflict" when it is taken, naming the setting that
 * says which one.
 */
export async function listen(
  http: ServerType,
  { host, port, setting }: { host: string; port: number; setting: string },
): Promise<{ url: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === "EADDRINUSE";
      const sentence = `Port ${port} on ${host} is in use by another program; set ${setting} to another one.`;
      reject(isTaken ? new ClipmillError("conflict", sentence, { cause }) : cause);
    });
    http.listen(port, host, () => {
      http.removeAllListeners("error");
      resolve();
    });
  });
  const { port: taken } = http.address() as AddressInfo;
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`, port: taken };
}
