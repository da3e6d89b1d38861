/** Checkpoints continue uploads. Google Drive's are addresses to which anyone may write, so they are sealed. */
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import type { WaitingFile } from "./plan-files.ts";

type Sealer = Pick<Context, "secrets">;

export function sealCheckpoint({ secrets }: Sealer, { id }: Pick<WaitingFile, "id">, checkpoint: string): string {
  return secrets.seal(sealName(id), checkpoint);
}

/** Null without a checkpoint, or after a change of the app secret. */
export function openCheckpoint({ secrets }: Sealer, { id, resume }: Pick<WaitingFile, "id" | "resume">): string | null {
  if (resume === null) return null;
  try {
    return secrets.open(sealName(id), resume);
  } catch (error) {
    if (error instanceof ClipmillError) return null;
    throw error;
  }
}

function sealName(fileId: string): string {
  return `delivery-file:${fileId}`;
}
