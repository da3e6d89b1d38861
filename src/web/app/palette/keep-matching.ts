import { type Job, jobTitle } from "#contract/jobs/jobs.ts";

type Verb = "cancel" | "download";

export type NamedSet = { id: string; name: string };

export type Found = {
  jobs: readonly Job[];
  /** Jobs for the typed verb. */
  actionJobs: readonly Job[];
  captionSets: readonly NamedSet[];
  audioSets: readonly NamedSet[];
};

/** Keeps earlier results that still match, so that Enter cannot trigger an unwanted action during a search. */
export function keepMatching(found: Found, typed: string): Found {
  const verb = readVerb(typed);
  const matches = nameMatcher(typed);
  return {
    jobs: found.jobs.filter((job) => matches(jobTitle(job)) || findCaption(job, typed) !== null),
    actionJobs: verb === null ? [] : found.actionJobs.filter((job) => nameMatcher(verb.words)(jobTitle(job))),
    captionSets: found.captionSets.filter(({ name }) => matches(name)),
    audioSets: found.audioSets.filter(({ name }) => matches(name)),
  };
}

/** Returns the first caption with the text; null if there is none, or the row of a large job omits them. */
export function findCaption({ custom_captions: captions = [], rows = [] }: Job, typed: string): string | null {
  const all = [...captions, ...rows.flatMap(({ settings }) => settings?.custom_captions ?? [])];
  return all.find(nameMatcher(typed)) ?? null;
}

function nameMatcher(words: string): (name: string) => boolean {
  const query = words.trim().toLowerCase();
  return (name) => name.toLowerCase().includes(query);
}

/** Reads "cancel summer" as canceling jobs named like "summer"; null without a verb. */
export function readVerb(typed: string): { verb: Verb; words: string } | null {
  const found = /^(cancel|download)(?:\s+(.*))?$/i.exec(typed.trim());
  return found ? { verb: found[1]!.toLowerCase() as Verb, words: found[2] ?? "" } : null;
}
