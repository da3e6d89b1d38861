import type { Context, ErrorHandler } from "hono";
import type { Logger } from "pino";
import { type Fault, toFault } from "./error-response.ts";
import type { ServerEnv } from "../server-context.ts";

export function handleError(
  log: Logger,
  toBody: (fault: Fault, c: Context<ServerEnv>) => Response,
): ErrorHandler<ServerEnv> {
  return (error, c) => {
    const fault = toFault(error);
    const facts = { requestId: c.get("requestId"), code: fault.code, ...fault.facts };
    if (fault.status >= 500) log.error({ ...facts, err: error }, "request failed");
    else log.debug(facts, "request refused");
    if (fault.retryAfterSeconds !== null) c.header("Retry-After", String(Math.ceil(fault.retryAfterSeconds)));
    return toBody(fault, c);
  };
}
