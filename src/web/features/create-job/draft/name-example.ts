import { type NamedOutput, nameOutput, patternProblem } from "#contract/jobs/outputs/output-name.ts";
import { nameWithoutExtension } from "#contract/clean-name.ts";
import { partField, sourceOfParts } from "#contract/jobs/assemblies/slots.ts";
import { settingsOfVideo } from "#contract/jobs/video-settings.ts";
import { readFields } from "../setting-fields.ts";
import type { JobForm, ReadForm } from "./job-form.ts";

export type NameExample = { name: string } | { problem: string };

export type NameOfLink = (link: string) => string;

/** Falls back to the default name. */
export function nameExample(form: JobForm, read: ReadForm, nameOf: NameOfLink): NameExample {
  const { name_pattern: pattern } = readFields(form, ["name_pattern"]);
  const problem =
    pattern &&
    patternProblem(
      pattern,
      (column) =>
        read.slots.some(({ name }) => partField(name) === column) ||
        read.rows.some(({ pass }) => pass && Object.hasOwn(pass, column)),
    );
  return problem ? { problem } : { name: nameOutput(exampleOutput(form, read, nameOf)).name };
}

/** The first file of the video with this index. */
export function exampleOutput(form: JobForm, read: ReadForm, nameOf: NameOfLink, video = 0): NamedOutput {
  const settings = readFields(form, [
    "name_pattern",
    "format",
    "formats",
    "languages",
    "subtitle_languages",
    "subtitles_enabled",
    "segmentation_type",
    "job_name",
  ]);
  const row = read.rows[video];
  const { custom_captions: captions = read.captions } = row?.settings ?? {};
  const link = read.videos.valid[video];
  const [, track] = firstLinks(read);
  const nameOfLink = (link: string) => nameWithoutExtension(nameOf(link));
  const parts = partNames(read, nameOfLink);
  return {
    job: {
      ...settingsOfVideo(settings, row?.settings ?? null),
      total_videos: Math.max(read.combinations.length || read.videos.valid.length, 1),
    },
    video: { position: video, row_name: row?.name ?? null, row_pass: row?.pass ?? parts },
    source: sourceOfParts(parts) ?? (link === undefined ? "video" : nameOfLink(link)),
    variant: 0,
    segment: 0,
    caption: captions[0] ?? null,
    track: track === undefined ? null : nameOfLink(track),
  };
}

/** Returns the links that name the first file. */
export function firstLinks({ videos, rows, tracks }: ReadForm): [video: string | undefined, track: string | undefined] {
  return [videos.valid[0], (rows[0]?.settings?.custom_audio_links ?? tracks?.valid ?? [])[0]];
}

/** Of the first combination. */
function partNames(
  { slots, combinations }: ReadForm,
  nameOfLink: (link: string) => string,
): Record<string, string> | null {
  const [first] = combinations;
  if (!first) return null;
  return Object.fromEntries(slots.map(({ name, clips }, i) => [partField(name), nameOfLink(clips[first[i]!]!.link)]));
}
