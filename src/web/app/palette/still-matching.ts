import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { readVerb } from "./read-verb.ts";

export type NamedSet = { id: string; name: string };

export type Found = {
  jobs: readonly Job[];
  /** Jobs that the typed verb applies to. */
  actionJobs: readonly Job[];
  captionSets: readonly NamedSet[];
  audioSets: readonly NamedSet[];
};

/**
 * What was found for an earlier text and has a name that goes by this one, too. The rest is not offered while the search goes on:
 * Enter would do something with it that nobody asked for.
 */
export function stillMatching(found: Found, typed: string): Found {
  const verb = readVerb(typed);
  const matches = goesBy(typed);
  return {
    jobs: found.jobs.filter((job) => matches(jobTitle(job))),
    actionJobs: verb === null ? [] : found.actionJobs.filter((job) => goesBy(verb.words)(jobTitle(job))),
    captionSets: found.captionSets.filter(({ name }) => matches(name)),
    audioSets: found.audioSets.filter(({ name }) => matches(name)),
  };
}

function goesBy(words: string): (name: string) => boolean {
  const wanted = words.trim().toLowerCase();
  return (name) => name.toLowerCase().includes(wanted);
}
