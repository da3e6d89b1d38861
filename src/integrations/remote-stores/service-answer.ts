import type { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";

/** Throws ClipmillError "network" for anything but the expected JSON. `service` names the sender. */
export function parseJsonAnswer<Schema extends z.ZodType>(
  body: string,
  schema: Schema,
  service: string,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(body));
  } catch (error) {
    throw new ClipmillError("network", `${service} returned an unreadable response. Retry later.`, { cause: error });
  }
}
