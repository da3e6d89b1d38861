import type { Kysely } from "kysely";
import { type TranscriptName, transcriptNamesSchema } from "#contract/transcripts/names.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { removeSetting, writeSetting } from "../settings/write-setting.ts";

const NAME = "transcript_names";

export async function readTranscriptNames({ db }: Pick<Context, "db">): Promise<{ from?: string; to: string }[]> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  const names = row ? transcriptNamesSchema.parse(JSON.parse(row.value)) : [];
  return names.map(({ from, to }) => (from === undefined ? { to } : { from, to }));
}

/** Returns each name once, as it is spelled. */
export async function listNames(context: Pick<Context, "db">): Promise<string[]> {
  return [...new Set((await readTranscriptNames(context)).map(({ to }) => to))];
}

/** Null removes all; undefined changes nothing. */
export async function saveTranscriptNames(
  db: Kysely<Tables>,
  names: readonly TranscriptName[] | null | undefined,
): Promise<void> {
  if (names === null) await removeSetting(db, NAME);
  else if (names !== undefined) await writeSetting(db, NAME, JSON.stringify(names));
}

/** Models read only the end of a longer one: 224 tokens (OpenAI's guide on speech to text, November 2026). */
const MOST_PROMPT_CHARACTERS = 600;

/** Returns the names as a hint: a model repeats spellings that it has seen. */
export async function promptOf(context: Pick<Context, "db">): Promise<string> {
  let prompt = "";
  for (const name of await listNames(context)) {
    const longer = prompt === "" ? name : `${prompt}, ${name}`;
    if (longer.length > MOST_PROMPT_CHARACTERS) break;
    prompt = longer;
  }
  return prompt;
}
