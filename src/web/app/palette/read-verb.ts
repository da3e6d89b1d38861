export type Verb = "cancel" | "download";

/** Parses "cancel summer" as canceling a job whose name contains "summer"; null without a verb. */
export function readVerb(typed: string): { verb: Verb; words: string } | null {
  const found = /^(cancel|download)(?:\s+(.*))?$/i.exec(typed.trim());
  return found ? { verb: found[1]!.toLowerCase() as Verb, words: found[2] ?? "" } : null;
}
