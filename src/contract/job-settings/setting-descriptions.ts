/** For assistants and the API document. Not in `JOB_SETTINGS`, because the web app loads that first. */
import type { z } from "zod";
import type { SettingName } from "./job-settings.ts";
import { settingOf } from "./setting-values.ts";

const DESCRIPTIONS: Readonly<Record<SettingName, string>> = {
  job_name: "The job's name.",
  input_videos: "Links to videos.",
  rows: "One per video: its link, and what differs from the job.",
  slots: "Each video is a clip of every slot, in a row. Empty for single videos.",
  combine:
    "all: every combination of the slots' clips. each: their first clips, then their second, and so on. A number: that many combinations.",
  exclude: "Pairs of clips that never make a video together: by link, or by slot and number, such as `Hook 3`.",
  start_seconds: "Where the part of each video to use starts.",
  end_seconds: "Where the part of each video to use ends. Null: at the video's end.",
  speed: "How fast videos play, with the same pitch; an intro and an end card play as they are.",
  max_megabytes: "Limit of each file in units of 1,000,000 bytes; larger ones get a lower bit rate. Null: no limit.",
  cover_seconds: "Also makes a JPEG of each file's frame at this time, or of its last frame. Null: none.",
  cut_silences_ms: "Cuts pauses in speech of at least this many milliseconds. 0: off.",
  silence_padding_ms: "With cut_silences_ms: milliseconds kept before and after speech.",
  cut_fillers: 'Cuts words such as "um", by the transcript.',
  transition_seconds: "How long a clip fades into the next one. 0: a cut.",
  audio_crossfade_ms: "How many milliseconds the sound of a part fades into the next one's.",
  even_loudness: "Brings the clips of slots to one loudness.",
  intro_link: "Link of a video shown in full before each file, without captions and watermark.",
  outro_link: "Link of a video shown in full after each file, without captions and watermark.",
  captions_enabled: "Shows captions.",
  caption_set_id: "ID of the caption set to use, unless custom_captions has texts.",
  custom_captions: "Texts that rotate over all variants of all videos: each variant shows one of them.",
  caption_style: "How letters stand out from the picture.",
  caption_position: "Where captions are in the area that the platform keeps free.",
  caption_size: "The largest letters; long captions get smaller ones.",
  caption_font: "sans is Inter, condensed Oswald, rounded Nunito, serif Lora.",
  caption_weight: "The weight of all letters.",
  caption_color: "Color of letters: #rrggbb.",
  caption_box_color: "With caption_style box: #rrggbb or #rrggbbaa.",
  caption_y: "The captions' middle, from 0 (top) to 1 (bottom). Null: as caption_position.",
  caption_highlight: "Colors words between asterisks, *like these*.",
  caption_start_seconds: "When captions appear, from the file's start.",
  caption_end_seconds: "When captions disappear, from the file's start. Null: at its end.",
  caption_fade: "Milliseconds in which captions fade in and out.",
  subtitles_enabled: "Shows what is spoken: from the file in subtitles, or from a transcript.",
  subtitles: "Link of one video's subtitle file: SRT, VTT, ASS, or words as JSON.",
  subtitle_style:
    "line: whole lines. word: one word at a time. karaoke: highlights words up to the current one. box: the current one.",
  subtitle_position: "Null: at the bottom, or in the middle if captions are at the bottom.",
  languages: "Language tags, such as de or pt-BR. Makes each variant once in each, with translated captions.",
  subtitle_languages: "Language tags, such as de or pt-BR. Makes each variant once in each, with translated subtitles.",
  audio_enabled: "Adds music.",
  audio_set_id: "ID of the audio set to use, unless custom_audio_links has links.",
  custom_audio_links: "Links of tracks that rotate over all variants of all videos.",
  audio_mode: "replace: only the music is heard. mix: the music and the video's sound.",
  watermark_enabled: "Shows the watermark's text and image.",
  watermark_text: "A text, in addition to the image.",
  watermark_image: "Link of an image in the library.",
  watermark_position: "Where the image is in the area that the platform keeps free.",
  watermark_opacity: "Opacity of the image, from 0 to 1.",
  watermark_scale: "Width of the image as a share of the frame's.",
  layers: "Further texts and images over every file, the lowest first. Texts can have fields such as {row.price}.",
  variants_per_video: "Files made of each video, with the next caption and track each.",
  video_gain: "With audio_mode mix: volume of the video's sound, from 0 to 1.",
  music_gain: "With audio_mode mix: volume of the music, from 0 to 1.",
  loop_audio: "Repeats music that is shorter than the video; otherwise, it ends in silence.",
  ducking_db: "With audio_mode mix: lowers the music by these decibels while someone speaks. 0: off.",
  loudness_lufs: "Integrated loudness of all sound (EBU R 128). Null: unchanged.",
  segment_duration: "With segmentation_type: seconds of each clip.",
  segmentation_type:
    "single: cuts one clip per variant, from other places of the video. multiple: cuts the whole video into clips. Null: off.",
  platform: "Keeps texts out of the areas that the app covers. Sets format and loudness_lufs, if absent. Null: any.",
  format: "Shape of each file. source: the video's own.",
  formats: "Makes each variant in each of these formats. Empty: format alone.",
  fit: "With a format of another shape: cut, with a blurred background, or with black bars.",
  fit_focus: "With fit crop: keeps a fixed point, or follows the main face.",
  fit_focus_x: "With fit crop: the point to keep, from 0 (left) to 1 (right).",
  fit_focus_y: "With fit crop: the point to keep, from 0 (top) to 1 (bottom).",
  quality: "Encoding effort; draft is the fastest.",
  codec: "HEVC makes smaller files, but takes longer and plays in fewer places.",
  proof_count: "Makes this many samples first; the job then waits for approval. 0: none.",
  proof_pick: "With proof_count: which videos to sample. rows: those in proof_rows.",
  proof_rows: "Numbers of the videos to sample, from 1: 1, 4, 9-12.",
  download_enabled: "Offers all files as a zip.",
  name_pattern: "Names of files, such as {row.sku}-{variant}. Null: from the video's place and name.",
  output_folder: "Name of a folder in storage for the job's files.",
  link_domain_id: "ID of a domain where each file gets a public link when the job completes. Null: none.",
  link_target: "With link_domain_id: where links lead, such as https://shop.example/{row.sku}.",
  link_slug_pattern: "With link_domain_id: paths of links. Null: the files' names.",
  link_utm: "With link_domain_id: added to the target, such as utm_source=tiktok&utm_content={name}-{variant}.",
  worker_labels: "Labels that workers need to take the job's videos, separated by commas.",
  destinations: "IDs of destinations that finished files are delivered to; some post publicly.",
};

/** Returns what the setting does, its unit and its default. */
export function describeSetting(name: SettingName): string {
  const { unit, default: value } = settingOf(name);
  const hasDefault = value !== null && value !== "" && !Array.isArray(value);
  const facts = [unit && `In ${unit}.`, hasDefault && `Default: ${String(value)}.`];
  return [DESCRIPTIONS[name], ...facts].filter(Boolean).join(" ");
}

export function withDescriptions<Shape extends { [Name in SettingName]?: z.ZodType }>(shape: Shape): Shape {
  const fields = Object.entries(shape) as [SettingName, z.ZodType][];
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, schema.describe(describeSetting(name))]),
  ) as unknown as Shape;
}
