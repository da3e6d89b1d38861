import type { SignInOptions } from "#contract/accounts/sign-in.ts";
import { openPort, type Port } from "#http/open-port.ts";
import { serveStarting } from "./pages/serve-starting.ts";

/** Enough for 2 GB over a slow connection; uploads detect a disconnected sender sooner. */
const MAX_UPLOAD_MS = 6 * 3_600_000;

export type ServerPortOptions = {
  host: string;
  port: number;
  trustedProxies?: string[] | undefined;
  signIn: SignInOptions;
  /** Excludes uploads; five minutes by default. */
  maxRequestMs?: number | undefined;
};

/** Responds that Clipmill is starting until the app is served. Throws like openPort. */
export async function openServerPort(options: ServerPortOptions): Promise<Port> {
  const { signIn, ...where } = options;
  const uploads = { path: "/uploads", maxMs: MAX_UPLOAD_MS };
  return await openPort({ ...where, uploads, setting: "PORT" }, serveStarting(signIn));
}
