import type { JobOutput } from "#contract/jobs/jobs.ts";

/** `startSeconds`: where the output starts in this file. */
export type ComparedFile = { id: string; label: string; url: string; startSeconds: number };

export type ComparedSource = { url: string; startSeconds: number };

/** Returns the output, the other variants, then the source; fewer than two if there is nothing to compare. */
export function comparedFiles(
  current: JobOutput,
  variants: readonly JobOutput[],
  source: ComparedSource | null,
): ComparedFile[] {
  const others = variants.filter(({ id }) => id !== current.id);
  const files = [current, ...others].flatMap(({ id, variant, media_url: url }) =>
    url === null ? [] : [{ id, label: `Variant ${variant + 1}`, url, startSeconds: 0 }],
  );
  return source === null ? files : [...files, { id: "source", label: "Source", ...source }];
}
