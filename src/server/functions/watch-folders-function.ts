import type { Hono } from "hono";
import { z } from "zod";
import type { SuccessResponse } from "#contract/calls.ts";
import type {
  WatchFilesResponse,
  WatchFolderResponse,
  WatchFoldersResponse,
} from "#contract/watch-folders/watch-folders.ts";
import { parseInput } from "#operations/parse-input.ts";
import { addWatchFolder } from "#operations/watch-folders/add-watch-folder.ts";
import {
  changeWatchFolder,
  checkWatchFolderNow,
  pauseWatchFolder,
  removeWatchFolder,
  resumeWatchFolder,
} from "#operations/watch-folders/change-watch-folder.ts";
import { listWatchFiles } from "#operations/watch-folders/list-watch-files.ts";
import { listWatchFolders } from "#operations/watch-folders/list-watch-folders.ts";
import { listLocalNames } from "#operations/watch-folders/local/local-folders.ts";
import { runFileAgain } from "#operations/watch-folders/run-file-again.ts";
import { actorContextFor } from "../actor-context.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

const ACTIONS = [
  ...(["list", "create", "update", "delete", "pause", "resume", "check-now", "files", "run-again"] as const),
] as const;

const actionSchema = z.object({ action: z.enum(ACTIONS, { error: `action: must be one of ${ACTIONS.join(", ")}` }) });

export function addWatchFoldersFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/watch-folders", limitBody(1), async (c) => {
    const body = await readJson(c);
    const context = actorContextFor(server, c);
    // Query first, as for an API token's scope.
    switch (parseInput(actionSchema, { ...body, ...c.req.query() }).action) {
      case "list": {
        const [data, local_folders] = [await listWatchFolders(server), await listLocalNames(server.localRoots)];
        return c.json({ data, local_folders } satisfies WatchFoldersResponse);
      }
      case "create": {
        const data = await addWatchFolder(context, body, c.get("operator").account.id);
        return c.json({ data } satisfies WatchFolderResponse);
      }
      case "update":
        return c.json({ data: await changeWatchFolder(context, body) } satisfies WatchFolderResponse);
      case "delete":
        await removeWatchFolder(context, body);
        return c.json({ success: true } satisfies SuccessResponse);
      case "pause":
        return c.json({ data: await pauseWatchFolder(context, body) } satisfies WatchFolderResponse);
      case "resume":
        return c.json({ data: await resumeWatchFolder(context, body) } satisfies WatchFolderResponse);
      case "check-now":
        return c.json({ data: await checkWatchFolderNow(context, body) } satisfies WatchFolderResponse);
      case "files":
        return c.json({ data: await listWatchFiles(server, body) } satisfies WatchFilesResponse);
      case "run-again":
        await runFileAgain(context, body);
        return c.json({ success: true } satisfies SuccessResponse);
    }
  });
}
