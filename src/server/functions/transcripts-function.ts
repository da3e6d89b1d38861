import { SuccessResponse } from "#contract/calls.ts";
import {
  ExportedTranscript,
  exportTranscriptSchema,
  listTranscriptsSchema,
  transcriptIdSchema,
  TranscriptResponse,
  TranscriptsResponse,
  updateTranscriptSchema,
} from "#contract/transcripts/transcripts.ts";
import { changeTranscript, deleteTranscript } from "#operations/transcripts/change-transcript.ts";
import { exportTranscript, listTranscripts, readTranscript } from "#operations/transcripts/read-transcripts.ts";
import { type CallFunction, defineCall, SUCCESS } from "./define-call.ts";

/** The most words, each with its times. */
const MAX_TRANSCRIPT_MB = 12;

export const TRANSCRIPTS_FUNCTION: CallFunction = {
  path: "transcripts",
  summary: "Reads and corrects the words of videos.",
  scope: "jobs:write",
  query: "action",
  unknown: (actions) => `action: must be one of ${actions.join(", ")}`,
  calls: [
    defineCall({
      name: "list",
      summary: "Lists transcripts, newest first: all, or those of a job or video.",
      scope: "jobs:read",
      isRead: true,
      takes: listTranscriptsSchema,
      answers: TranscriptsResponse,
      run: (context, request) => listTranscripts(context, request),
    }),
    defineCall({
      name: "read",
      summary: "Returns a transcript with its lines.",
      scope: "jobs:read",
      isRead: true,
      takes: transcriptIdSchema,
      answers: TranscriptResponse,
      run: async (context, { id }) => ({ data: await readTranscript(context, id) }),
    }),
    defineCall({
      name: "export",
      summary: "Returns a transcript as SRT, VTT, ASS or plain text, without hidden words.",
      scope: "jobs:read",
      isRead: true,
      takes: exportTranscriptSchema,
      answers: ExportedTranscript,
      run: (context, request) => exportTranscript(context, request),
    }),
    defineCall({
      name: "update",
      summary:
        "Replaces the lines of a transcript. Returns 409 if it has changed since `revision`. Jobs use the new lines from their next attempt.",
      takes: updateTranscriptSchema,
      answers: TranscriptResponse,
      limitMb: MAX_TRANSCRIPT_MB,
      run: async (context, request) => ({ data: await changeTranscript(context, request) }),
    }),
    defineCall({
      name: "delete",
      summary: "Deletes a transcript. Returns 409 while an unfinished job uses it.",
      takes: transcriptIdSchema,
      answers: SuccessResponse,
      run: async (context, { id }) => {
        await deleteTranscript(context, id);
        return SUCCESS;
      },
    }),
  ],
};
