import { sql } from "kysely";
import type { z } from "zod";
import type { listChannelsSchema } from "#contract/destinations/destination-requests.ts";
import { type ChannelsResponse, problemOfService } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import { openPostiz } from "../../connections/open-connection.ts";
import type { Context } from "../../context.ts";

const TIMEOUT_MS = 20_000;

/** Throws ClipmillError with a remedy. */
export async function listChannels(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  { connection_id: id }: z.output<typeof listChannelsSchema>,
): Promise<ChannelsResponse["data"]> {
  const { account } = await openPostiz(context, id, AbortSignal.timeout(TIMEOUT_MS));
  const channels = await account.listChannels();
  return channels
    .map(({ id: channelId, name, service, isDisabled }) => ({
      id: channelId,
      name,
      service,
      problem: isDisabled ? "Disabled in Postiz." : problemOfService(service),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

type Limit = { id: string; name: string; postsPerHour: number };

/** Throws ClipmillError "rate_limited" once the connection has used up the hour's posts. */
export async function requirePostAllowance(
  { db }: Pick<Context, "db">,
  { id, name, postsPerHour }: Limit,
): Promise<void> {
  const last = await db
    .selectFrom("delivery_files")
    .innerJoin("deliveries", "deliveries.id", "delivery_files.delivery_id")
    .innerJoin("destinations", "destinations.id", "deliveries.destination_id")
    .select(
      sql<number>`ceil(extract(epoch from delivery_files.updated_at + interval '1 hour' - now()))::int`.as("seconds"),
    )
    .where("destinations.connection_id", "=", id)
    .where("deliveries.updated_at", ">", sql<string>`now() - interval '1 hour'`)
    .where("state", "=", "Delivered")
    .where("delivery_files.updated_at", ">", sql<string>`now() - interval '1 hour'`)
    .orderBy("delivery_files.updated_at", "desc")
    .offset(postsPerHour - 1)
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  throw new ClipmillError("rate_limited", `The connection "${name}" makes at most ${postsPerHour} posts an hour.`, {
    retryAfterSeconds: Math.max(1, last.seconds),
  });
}
