import path from "node:path";
import type { JobSettings, RowSettings } from "#contract/job-settings/job-settings.ts";
import { sourceOfParts } from "#contract/jobs/assemblies/slots.ts";
import { slugKey } from "#contract/cloak/published-config.ts";
import { nameValuesOf, type NamedOutput } from "#contract/jobs/outputs/output-name.ts";
import { settingsOfVideo } from "#contract/jobs/video-settings.ts";
import { linkSlug, numbered, slugOfFile } from "#contract/links/link-slug.ts";
import { linkTarget } from "#contract/links/link-target.ts";
import { placeOf } from "../../cloak/routes/place-of.ts";

export type LinkedJob = Pick<
  JobSettings,
  | "job_name"
  | "format"
  | "formats"
  | "languages"
  | "subtitle_languages"
  | "subtitles_enabled"
  | "segmentation_type"
  | "name_pattern"
  | "link_target"
  | "link_slug_pattern"
  | "link_utm"
> & { total_videos: number };

export type UnlinkedOutput = Omit<NamedOutput, "job" | "video" | "source"> &
  NamedOutput["video"] & {
    id: string;
    /** The file's name. */
    name: string;
    row_settings: RowSettings | null;
    video_name: string | null;
  };

export type PlannedLink = { outputId: string; slug: string; target: string };

/**
 * Omits outputs whose target is no web address. Numbers a slug that is taken or would be its own target. `taken` has
 * the keys of the domain's slugs. Pure.
 */
export function planLinks(
  job: LinkedJob,
  domain: string,
  outputs: readonly UnlinkedOutput[],
  taken: ReadonlySet<string>,
): PlannedLink[] {
  const used = new Set(taken);
  // Thousands of outputs can share a slug: each continues where the last one stopped.
  const candidates = new Map<string, Generator<string, never>>();
  return outputs.flatMap((output) => {
    const values = nameValuesOf({
      ...output,
      job: settingsOfVideo(job, output.row_settings),
      video: output,
      source: sourceOfParts(output.row_pass) ?? path.parse(output.video_name ?? "").name,
    });
    const target = linkTarget(job.link_target ?? "", job.link_utm, values);
    if (target === null) return [];
    const slug =
      job.link_slug_pattern === null
        ? slugOfFile(output.name)
        : linkSlug(job.link_slug_pattern, values, `${values.position}-${values.variant}`);
    const others = candidates.get(slug) ?? numbered(slug);
    candidates.set(slug, others);
    const own = placeOf(target);
    for (;;) {
      const free = others.next().value;
      const key = slugKey(free);
      if (used.has(key) || own === `${domain}/${key}`) continue;
      used.add(key);
      return [{ outputId: output.id, slug: free, target }];
    }
  });
}
