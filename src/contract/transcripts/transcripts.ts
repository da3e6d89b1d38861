import { z } from "zod";
import { component, named } from "../component.ts";

/** Hours of speech have fewer words. More would take minutes to measure and plan. */
export const TRANSCRIPT_LIMITS = {
  lines: 20_000,
  words: 50_000,
  wordCharacters: 200,
  seconds: 1_000_000,
  listed: 100,
} as const;

/** Where the words come from: a subtitle file, an OpenAI-compatible server, or a model on the worker. */
export const TranscriptOrigin = named("TranscriptOrigin", z.enum(["file", "server", "local"]));
export type TranscriptOrigin = z.infer<typeof TranscriptOrigin>;

export const TranscriptStatus = named(
  "TranscriptStatus",
  z.enum(["Queued", "Processing", "Completed", "Failed", "Cancelled"]),
);
export type TranscriptStatus = z.infer<typeof TranscriptStatus>;

export type TranscriptStage = "Fetching" | "Listening";

export const TranscriptWord = component(
  "TranscriptWord",
  "Times are in seconds on the source's clock, in whole milliseconds.",
  () => ({
    text: z
      .string()
      .describe(
        "Includes what follows the word in its line: a space, a line break, or nothing in scripts without spaces.",
      ),
    startSeconds: z.number(),
    endSeconds: z.number(),
    confidence: z.number().exactOptional().describe("The model's confidence, from 0 to 1."),
    hidden: z.boolean().exactOptional().describe("True for a word that is not shown, such as a filler."),
  }),
);
export type TranscriptWord = z.infer<typeof TranscriptWord>;

export const TranscriptLine = component("TranscriptLine", "A sentence, or a cue of a file. Lines may overlap.", () => ({
  startSeconds: z.number(),
  endSeconds: z.number(),
  words: z.array(TranscriptWord).describe("At least one."),
}));
export type TranscriptLine = z.infer<typeof TranscriptLine>;

export const Transcript = component(
  "Transcript",
  "The words of a source, shared by all videos with its content. `revision` increases with each change.",
  () => ({
    id: z.string(),
    name: z.string().describe("The source's file name."),
    status: TranscriptStatus,
    progress: z.number().describe("In percent."),
    error_message: z.string().nullable(),
    origin: TranscriptOrigin.nullable().describe("Null until completed."),
    language: z.string().nullable().describe("A BCP 47 tag; null if it is not known."),
    revision: z.number(),
    edited_at: z.string().nullable().describe("When an operator last changed it."),
    duration_seconds: z.number(),
    line_count: z.number(),
    videos: z
      .array(
        z.object({
          job_id: z.string(),
          job_name: z.string(),
          video_id: z.string(),
          position: z.number().describe("In the job, from 0."),
          name: z.string().nullable().describe("The video's file name; null until fetched."),
        }),
      )
      .describe("The 20 newest videos that use it."),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);
export type Transcript = z.infer<typeof Transcript>;

export const WholeTranscript = component(
  "WholeTranscript",
  "A transcript with its lines. `media_url` plays the source for a day, if its host and the browser support it.",
  () => ({
    ...Transcript.unwrap().shape,
    media_url: z.string(),
    lines: z.array(TranscriptLine),
  }),
);
export type WholeTranscript = z.infer<typeof WholeTranscript>;

export const TranscriptsResponse = component("TranscriptsResponse", "Newest first. `total` counts all.", () => ({
  data: z.array(Transcript),
  total: z.number(),
}));
export type TranscriptsResponse = z.infer<typeof TranscriptsResponse>;

export const TranscriptResponse = component("TranscriptResponse", () => ({ data: WholeTranscript }));
export type TranscriptResponse = z.infer<typeof TranscriptResponse>;

const TRANSCRIPT_FORMATS = ["srt", "vtt", "ass", "txt"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

export const ExportedTranscript = component("ExportedTranscript", "`name` is a file name for `text`.", () => ({
  name: z.string(),
  text: z.string(),
}));
export type ExportedTranscript = z.infer<typeof ExportedTranscript>;

const id = z.uuid({ error: "The transcript ID is missing or not valid." });

export const transcriptIdSchema = z.object({ id });

export const listTranscriptsSchema = z.object({
  job_id: z.uuid("The job ID is not valid.").optional().describe("Only transcripts of this job's videos."),
  video_id: z.uuid("The video ID is not valid.").optional().describe("Only transcripts of this video."),
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(TRANSCRIPT_LIMITS.listed).default(20),
});

export const exportTranscriptSchema = z.object({
  id,
  format: z.enum(TRANSCRIPT_FORMATS, `Formats are ${TRANSCRIPT_FORMATS.join(", ")}.`),
});

const seconds = z.number().min(0).max(TRANSCRIPT_LIMITS.seconds);
const times = { startSeconds: seconds, endSeconds: seconds };
const NO_TEXT = "A word can't be empty. Delete the word instead.";

const word = z
  .object({
    text: z
      .string()
      .max(TRANSCRIPT_LIMITS.wordCharacters, `A word can have at most ${TRANSCRIPT_LIMITS.wordCharacters} characters.`)
      .regex(/\S/u, NO_TEXT),
    ...times,
    confidence: z.number().min(0).max(1).exactOptional(),
    hidden: z.boolean().exactOptional(),
  })
  .refine(({ startSeconds, endSeconds }) => startSeconds <= endSeconds, "A word ends before it starts.");

export const transcriptLinesSchema = z
  .array(z.object({ ...times, words: z.array(word).min(1, "A line can't be empty. Delete the line instead.") }))
  .max(TRANSCRIPT_LIMITS.lines, `A transcript can have at most ${TRANSCRIPT_LIMITS.lines.toLocaleString("en")} lines.`)
  .refine(
    (lines) => lines.reduce((sum, { words }) => sum + words.length, 0) <= TRANSCRIPT_LIMITS.words,
    `A transcript can have at most ${TRANSCRIPT_LIMITS.words.toLocaleString("en")} words.`,
  );

/** Replaces all lines, unless the transcript has changed since `revision`. */
export const updateTranscriptSchema = z.object({
  id,
  revision: z.int("The revision is missing or not valid.").describe("The revision that the change was made from."),
  lines: transcriptLinesSchema,
});
