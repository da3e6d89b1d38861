import type { Hono } from "hono";
import { addAudioSet } from "#operations/sets/add-audio-set.ts";
import { addCaptionSet } from "#operations/sets/add-caption-set.ts";
import { listAudioSets, listCaptionSets } from "#operations/sets/list-sets.ts";
import { parseInput } from "#operations/parse-input.ts";
import { changeFor } from "../actor-context.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { methodSchema } from "./requests.ts";

/** The largest set, with every character escaped in JSON. */
const MAX_SET_MB = 16;

/** Adds the functions caption-sets and audio-sets. A POST creates a set, unless `method` in its body is GET. */
export function addSetsFunctions(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get("/caption-sets", async (c) => c.json({ data: await listCaptionSets(server) }));
  app.post("/caption-sets", limitBody(MAX_SET_MB), async (c) => {
    const body = await readJson(c);
    const isRead = parseInput(methodSchema, body).method === "GET";
    return c.json({
      data: isRead
        ? await listCaptionSets(server)
        : await changeFor(server, c, (changing) => addCaptionSet(changing, body)),
    });
  });

  app.get("/audio-sets", async (c) => c.json({ data: await listAudioSets(server) }));
  app.post("/audio-sets", limitBody(MAX_SET_MB), async (c) => {
    const body = await readJson(c);
    const isRead = parseInput(methodSchema, body).method === "GET";
    return c.json({
      data: isRead
        ? await listAudioSets(server)
        : await changeFor(server, c, (changing) => addAudioSet(changing, body)),
    });
  });
}
