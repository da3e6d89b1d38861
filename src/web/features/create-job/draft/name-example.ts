import { type NamedOutput, nameOutput } from "#contract/jobs/outputs/output-name.ts";
import { patternProblem } from "#contract/jobs/outputs/name-pattern.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { parseLink } from "#contract/sources/links.ts";
import { readFields } from "../setting-fields.ts";
import type { JobForm, ReadForm } from "./job-form.ts";

export type NameExample = { name: string } | { problem: string };

/** Falls back to the default name. Links stand in for file names, which are unknown until the job runs. */
export function nameExample(form: JobForm, read: ReadForm): NameExample {
  const { name_pattern: pattern } = readFields(form, ["name_pattern"]);
  const problem =
    pattern && patternProblem(pattern, (column) => read.rows.some(({ pass }) => pass && Object.hasOwn(pass, column)));
  return problem ? { problem } : { name: nameOutput(firstOutput(form, read)).name };
}

/** Links stand in for names that are unknown until the job runs. */
export function firstOutput(form: JobForm, read: ReadForm): NamedOutput {
  const settings = readFields(form, ["name_pattern", "format", "segmentation_type", "job_name"]);
  const [row] = read.rows;
  const { custom_captions: captions = read.captions, custom_audio_links: tracks = read.tracks?.valid ?? [] } =
    row?.settings ?? {};
  const track = tracks[0] === undefined ? null : nameOfLink(tracks[0]);
  return {
    job: {
      ...settings,
      format: row?.settings?.format ?? settings.format,
      total_videos: Math.max(read.videos.valid.length, 1),
    },
    video: { position: 0, row_name: row?.name ?? null, row_pass: row?.pass ?? null },
    source: nameOfLink(read.videos.valid[0] ?? ""),
    variant: 0,
    segment: 0,
    caption: captions[0] ?? null,
    track,
  };
}

function nameOfLink(link: string): string {
  const parsed = parseLink(link);
  return (parsed ? linkHostOf(parsed.host).nameOf(parsed) : "video").replace(/\.\w{1,5}$/, "");
}
