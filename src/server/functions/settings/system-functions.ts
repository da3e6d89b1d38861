import { z } from "zod";
import { AuditResponse } from "#contract/calls.ts";
import { systemActionSchema } from "#contract/settings/system-action.ts";
import { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import { listAuditEntries, listAuditSchema } from "#operations/audit/list-audit-entries.ts";
import { readClaiming, readSystem } from "#operations/fleet/list-workers.ts";
import { pauseQueue, resumeQueue } from "#operations/fleet/queue-pause.ts";
import { steerWorker } from "#operations/fleet/steer-worker.ts";
import { type CallFunction, defineCall } from "../define-call.ts";

export const SYSTEM_FUNCTIONS: CallFunction[] = [
  {
    path: "system",
    summary: "Controls a worker or the queue.",
    scope: "admin",
    calls: [
      defineCall({
        name: "claiming",
        summary: "Only checks whether any worker takes videos.",
        when: { part: "claiming" },
        isRead: true,
        isGet: true,
        answers: ClaimingResponse,
        run: (context) => readClaiming(context),
      }),
      defineCall({
        name: "read",
        summary: "Returns the state of the workers and the queue.",
        when: {},
        isRead: true,
        isGet: true,
        takes: z.object({ part: z.literal("all", { error: "part: must be all or claiming" }).default("all") }),
        answers: SystemResponse,
        run: (context) => readSystem(context, context.kinds),
      }),
      defineCall({
        name: "control",
        summary: "Controls a worker or the queue and returns the state of both. GET returns the state only.",
        when: {},
        takes: systemActionSchema,
        answers: SystemResponse,
        run: async (context, request) => {
          if (request.action === "pause-queue") await pauseQueue(context);
          else if (request.action === "resume-queue") await resumeQueue(context);
          else await steerWorker(context, request);
          return await readSystem(context, context.kinds);
        },
      }),
    ],
  },
  {
    path: "audit",
    summary: "Reads the audit log.",
    scope: "admin",
    calls: [
      defineCall({
        name: "list",
        summary: "Lists audit entries, newest first.",
        when: {},
        isRead: true,
        isGet: true,
        takes: listAuditSchema,
        answers: AuditResponse,
        run: async (context, request) => ({ data: await listAuditEntries(context, request) }),
      }),
    ],
  },
];
