import type { Hono } from "hono";
import type { AudioSetResponse, AudioSetsResponse, CaptionSetResponse, CaptionSetsResponse } from "#contract/sets.ts";
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
  const captionSets = async (): Promise<CaptionSetsResponse> => ({ data: await listCaptionSets(server) });
  const audioSets = async (): Promise<AudioSetsResponse> => ({ data: await listAudioSets(server) });

  app.get("/caption-sets", async (c) => c.json(await captionSets()));
  app.post("/caption-sets", limitBody(MAX_SET_MB), async (c) => {
    const body = await readJson(c);
    if (parseInput(methodSchema, body).method === "GET") return c.json(await captionSets());
    const data = await changeFor(server, c, (changing) => addCaptionSet(changing, body));
    return c.json({ data } satisfies CaptionSetResponse);
  });

  app.get("/audio-sets", async (c) => c.json(await audioSets()));
  app.post("/audio-sets", limitBody(MAX_SET_MB), async (c) => {
    const body = await readJson(c);
    if (parseInput(methodSchema, body).method === "GET") return c.json(await audioSets());
    const data = await changeFor(server, c, (changing) => addAudioSet(changing, body));
    return c.json({ data } satisfies AudioSetResponse);
  });
}
