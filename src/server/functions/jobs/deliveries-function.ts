import type { Hono } from "hono";
import type { DeliveriesResponse, DeliveryFilesResponse, DeliveryResponse } from "#contract/destinations/deliveries.ts";
import { listDeliveriesSchema, listDeliveryFilesSchema } from "#contract/destinations/destination-requests.ts";
import { changeDelivery } from "#operations/deliveries/change-delivery.ts";
import { deliverJob } from "#operations/deliveries/deliver-job.ts";
import { listDeliveries, listDeliveryFiles } from "#operations/deliveries/list-deliveries.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

type Parameters = Record<string, unknown>;

export function addDeliveriesFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  const list = async (parameters: Parameters): Promise<DeliveriesResponse | DeliveryFilesResponse> => {
    if ("id" in parameters) {
      return { data: await listDeliveryFiles(server, parseInput(listDeliveryFilesSchema, parameters).id) };
    }
    return { data: await listDeliveries(server, parseInput(listDeliveriesSchema, parameters).job_id) };
  };

  app.get("/deliveries", async (c) => c.json(await list(c.req.query())));
  app.post("/deliveries", limitBody(1), async (c) => {
    const body = await readJson(c);
    if (body.method === "GET") return c.json(await list(body));
    const context = actorContextFor(server, c);
    const data = await ("action" in body ? changeDelivery(context, body) : deliverJob(context, body));
    return c.json({ data } satisfies DeliveryResponse);
  });
}
