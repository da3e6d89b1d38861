/** What is to be done with a job, typed before its name. */
export type Verb = "cancel" | "download";

/** "cancel summer" is to cancel a job whose name holds "summer"; null when what was typed begins with no verb. */
export function readVerb(typed: string): { verb: Verb; words: string } | null {
  const found = /^(cancel|download)(?:\s+(.*))?$/i.exec(typed.trim());
  return found ? { verb: found[1]!.toLowerCase() as Verb, words: found[2] ?? "" } : null;
}
