/** Why a job cannot start: the title and text of a toast. */
export type JobProblem = { title: string; description: string };
