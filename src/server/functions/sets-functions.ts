import type { Hono } from "hono";
import type { AudioSetResponse, AudioSetsResponse, CaptionSetResponse, CaptionSetsResponse } from "#contract/sets.ts";
import { addAudioSet, addCaptionSet } from "#operations/sets/add-sets.ts";
import { listAudioSets, listCaptionSets } from "#operations/sets/list-sets.ts";
import { parseInput } from "#operations/parse-input.ts";
import { changeFor } from "../actor-context.ts";
import { idempotent, keepAnswerWith } from "../requests/idempotent.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { methodSchema } from "./requests.ts";

/** With every character escaped in JSON. */
const MAX_SET_MB = 16;

/** POST creates a set, unless `method` in the body is GET. */
export function addSetsFunctions(app: Hono<ServerEnv>, server: ServerContext): void {
  const captionSets = async (): Promise<CaptionSetsResponse> => ({ data: await listCaptionSets(server) });
  const audioSets = async (): Promise<AudioSetsResponse> => ({ data: await listAudioSets(server) });

  const repeatable = idempotent(server, { isRepeatable: ({ method }) => method !== "GET" });

  app.get("/caption-sets", async (c) => c.json(await captionSets()));
  app.post("/caption-sets", limitBody(MAX_SET_MB), repeatable, async (c) => {
    const body = await readJson(c);
    if (parseInput(methodSchema, body).method === "GET") return c.json(await captionSets());
    const answer = await changeFor(server, c, async (changing): Promise<CaptionSetResponse> => {
      const answer = { data: await addCaptionSet(changing, body) };
      await keepAnswerWith(c, changing, answer);
      return answer;
    });
    return c.json(answer);
  });

  app.get("/audio-sets", async (c) => c.json(await audioSets()));
  app.post("/audio-sets", limitBody(MAX_SET_MB), repeatable, async (c) => {
    const body = await readJson(c);
    if (parseInput(methodSchema, body).method === "GET") return c.json(await audioSets());
    const answer = await changeFor(server, c, async (changing): Promise<AudioSetResponse> => {
      const answer = { data: await addAudioSet(changing, body) };
      await keepAnswerWith(c, changing, answer);
      return answer;
    });
    return c.json(answer);
  });
}
