import type { z } from "zod";
import type { listChannelsSchema } from "#contract/destinations/destination-requests.ts";
import { type ChannelsResponse, faultOfService } from "#contract/destinations/posting.ts";
import { openPostiz } from "../../connections/open-postiz.ts";
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
      problem: isDisabled ? "Disabled in Postiz." : faultOfService(service),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}
