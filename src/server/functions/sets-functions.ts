import {
  AudioSetResponse,
  audioSetSchema,
  AudioSetsResponse,
  CaptionSetResponse,
  captionSetSchema,
  CaptionSetsResponse,
} from "#contract/sets.ts";
import type { Changing } from "#operations/audit/write-audit.ts";
import { addAudioSet, addCaptionSet, listAudioSets, listCaptionSets } from "#operations/sets/change-sets.ts";
import { keepResponseWith } from "../requests/idempotent.ts";
import { type CallContext, type CallFunction, defineCall, READ_OR_WRITE } from "./define-call.ts";

/** With every character escaped in JSON. */
const MAX_SET_MB = 16;

export const SETS_FUNCTIONS: CallFunction[] = [
  {
    path: "caption-sets",
    summary: "Lists or creates caption sets.",
    scope: "sets",
    ...READ_OR_WRITE,
    calls: [
      defineCall({
        name: "list",
        summary: "Lists all caption sets, newest first.",
        when: { method: "GET" },
        isRead: true,
        answers: CaptionSetsResponse,
        run: async (context) => ({ data: await listCaptionSets(context) }),
      }),
      defineCall({
        name: "create",
        summary: "Creates a caption set.",
        when: { method: [undefined, "POST"] },
        takes: captionSetSchema,
        answers: CaptionSetResponse,
        isRepeatable: true,
        limitMb: MAX_SET_MB,
        example: { method: "POST", name: "Greetings", captions: ["Hello", "Hi"] },
        runUnchecked: (context, body) => changeOnce(context, (changing) => addCaptionSet(changing, body)),
      }),
    ],
  },
  {
    path: "audio-sets",
    summary: "Lists or creates audio sets.",
    scope: "sets",
    ...READ_OR_WRITE,
    calls: [
      defineCall({
        name: "list",
        summary: "Lists all audio sets, newest first.",
        when: { method: "GET" },
        isRead: true,
        answers: AudioSetsResponse,
        run: async (context) => ({ data: await listAudioSets(context) }),
      }),
      defineCall({
        name: "create",
        summary: "Creates an audio set.",
        when: { method: [undefined, "POST"] },
        takes: audioSetSchema,
        answers: AudioSetResponse,
        isRepeatable: true,
        limitMb: MAX_SET_MB,
        runUnchecked: (context, body) => changeOnce(context, (changing) => addAudioSet(changing, body)),
      }),
    ],
  },
];

/** Keeps the response for repeated requests in the transaction of the change. */
function changeOnce<Row>(
  { db, actor, c }: CallContext,
  change: (changing: Changing) => Promise<Row>,
): Promise<{ data: Row }> {
  return db.transaction().execute(async (trx) => {
    const response = { data: await change({ trx, actor }) };
    await keepResponseWith(c, { trx, actor }, response);
    return response;
  });
}
