import { generateCaptionsSchema, PROMPT_REQUIRED, SET_NOT_FOUND, SET_REQUIRED } from "#contract/captions.ts";
import { ClipmillError } from "#contract/errors.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import type { ModelKind } from "#contract/settings/models.ts";
import type { ChatAccess, TokenUsage } from "#integrations/openai/openai.ts";
import { type ActorContext, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { type ModelHost, nameOfServer, readModelAccess } from "../settings/model-access.ts";
import { listSpokenTexts } from "../transcripts/spoken-text.ts";
import { listNames } from "../transcripts/transcript-names.ts";
import { generationPrompt } from "./caption-prompts.ts";
import { cleanCaptions } from "./check-captions.ts";

const MAX_ROUNDS = 5;
const TIMEOUT_MS = 180_000;
/** Videos whose transcripts the model is given. */
const MAX_SPOKEN = 20;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type GeneratedCaptions = { captions: string[]; model: string; rounds: number; use: TokenUsage };

/** Throws ClipmillError with SPEC's message and title, or OpenAI's refusal; "cancelled" once the signal aborts. */
export async function generateCaptions(
  context: Pick<Context, "db" | "secrets" | "openAi" | "hosts"> & ActorContext,
  body: unknown,
  caller: AbortSignal,
): Promise<GeneratedCaptions> {
  const request = parseInput(generateCaptionsSchema, body);
  const isReference = request.generationMode === "reference";
  if (!isReference && request.customPrompt === "") throw errorOf(PROMPT_REQUIRED);
  const references = isReference ? await readReferences(context, request.captionSetId) : [];
  const access = await requireCaptionModel(context, "text");
  const existing = [...references, ...request.existingCaptions];
  const spoken = await listSpokenTexts(context, request.videoLinks, MAX_SPOKEN);
  const names = await listNames(context);
  const collection = collectCaptions(request.count, existing);
  const signal = AbortSignal.any([caller, AbortSignal.timeout(TIMEOUT_MS)]);
  const use = { inputTokens: 0, outputTokens: 0 };
  let rounds = 0;
  while (collection.missing > 0 && rounds < MAX_ROUNDS) {
    rounds += 1;
    const count = collection.missing;
    const prompt = generationPrompt({
      count,
      references,
      prompt: request.customPrompt,
      notes: request.customNotes,
      taken: [...collection.captions, ...request.existingCaptions],
      names,
      spoken,
    });
    const { requestCaptions } = await import("#integrations/openai/openai-captions.ts");
    const response = await requestCaptions(access, { ...prompt, count }, signal);
    use.inputTokens += response.use.inputTokens;
    use.outputTokens += response.use.outputTokens;
    collection.add(response.captions);
  }
  if (collection.missing > 0) throw tooFew(access, collection.captions.length, request.count);
  await writeAudit(context.db, context.actor, { action: "captions.generate" });
  return { captions: [...collection.captions], model: access.model, rounds, use };
}

async function readReferences(context: Pick<Context, "db">, setId: string | null): Promise<string[]> {
  if (setId === null) throw errorOf(SET_REQUIRED);
  // PostgreSQL rejects other ids.
  if (!UUID.test(setId)) throw errorOf(SET_NOT_FOUND);
  const set = await context.db.selectFrom("caption_sets").select("captions").where("id", "=", setId).executeTakeFirst();
  if (!set) throw errorOf(SET_NOT_FOUND);
  return set.captions;
}

function errorOf({ title, description }: { title: string; description: string }): ClipmillError {
  return new ClipmillError("invalid", description, { title });
}

function tooFew(access: ChatAccess, found: number, wanted: number): ClipmillError {
  const sentence = `${nameOfServer(access)} returned only ${found} of ${wanted} distinct captions. Request fewer, or change the prompt.`;
  return new ClipmillError("unavailable", sentence, { facts: { found, wanted } });
}

const EMOJI = /[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;
const NEITHER_LETTER_NOR_NUMBER = /[^\p{L}\p{N}\p{Mn}\p{Mc}]|[\uFE00-\uFE0F]/gu;

type CaptionCollection = {
  add(texts: readonly string[]): number;
  readonly captions: readonly string[];
  readonly missing: number;
};

/** Captions differ from one another and from existing ones by captionKey. */
export function collectCaptions(count: number, existing: readonly string[]): CaptionCollection {
  const taken = new Set(existing.map(captionKey));
  // A caption needs a letter or a number.
  taken.add("");
  const captions: string[] = [];
  return {
    captions,
    get missing() {
      return count - captions.length;
    },
    add(texts) {
      const before = captions.length;
      for (const caption of cleanCaptions(texts)) {
        const key = captionKey(caption);
        if (captions.length === count || taken.has(key) || caption.length > JOB_LIMITS.captionCharacters) continue;
        taken.add(key);
        captions.push(caption);
      }
      return captions.length - before;
    },
  };
}

/** Ignores case, spaces, punctuation and emoji; "" without anything else. */
export function captionKey(caption: string): string {
  // Emoji first: NFKC would convert some to letters.
  const letters = caption.replace(EMOJI, "").normalize("NFKC").replace(NEITHER_LETTER_NOR_NUMBER, "");
  // Via upper case: "straße" becomes "STRASSE", and a letter may have two lower-case forms.
  return letters.toUpperCase().toLowerCase().normalize("NFKC");
}

/** Throws ClipmillError "invalid" without a saved key or a server. */
export async function requireCaptionModel(
  context: Pick<Context, "db" | "secrets" | "openAi" | "hosts">,
  kind: Exclude<ModelKind, "transcription">,
): Promise<ChatAccess & { host: ModelHost }> {
  const access = await readModelAccess(context, kind);
  if (access) return { ...access, model: access.model ?? context.openAi.model };
  throw new ClipmillError("invalid", "No OpenAI API key is saved. Enter your OpenAI API key in settings.");
}
