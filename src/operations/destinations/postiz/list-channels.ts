import { listChannelsSchema } from "#contract/destinations/destination-requests.ts";
import { type ChannelsResponse, faultOfService } from "#contract/destinations/posting.ts";
import { openPostiz } from "../../connections/open-postiz.ts";
import type { Context } from "../../context.ts";
import { parseInput } from "../../parse-input.ts";

const TIMEOUT_MS = 20_000;

/** Throws ClipmillError with a remedy. */
export async function listChannels(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  body: unknown,
): Promise<ChannelsResponse["data"]> {
  const { connection_id: id } = parseInput(listChannelsSchema, body);
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
