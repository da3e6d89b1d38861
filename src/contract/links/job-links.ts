import { z } from "zod";
import { component } from "../component.ts";

/** In `OutputLink.days`, including today. */
export const LINK_DAYS = 30;

export const OutputLink = component("OutputLink", () => ({
  output_id: z.string(),
  name: z.string(),
  position: z.number().describe("The video's place in the job, from 0."),
  variant: z.number(),
  segment: z.number(),
  route_id: z.string(),
  url: z.string().describe("Public, percent-encoded."),
  target: z.string(),
  is_active: z.boolean(),
  clicks: z.number().describe("Total of all days, at most the last 400."),
  days: z.array(z.number()).describe("By UTC day, from `first_day` to today."),
}));
export type OutputLink = z.infer<typeof OutputLink>;

export const JobLinks = component("JobLinks", () => ({
  first_day: z.string(),
  links: z.array(OutputLink).describe("Sorted by video, variant and segment."),
  missing: z.number().describe("Files of a completed job without a link."),
  problem: z.string().nullable().describe("The reason, if known."),
  is_published: z.boolean().describe("False while the newest links await a publish."),
}));
export type JobLinks = z.infer<typeof JobLinks>;

export const MakeLinksResponse = component(
  "MakeLinksResponse",
  "`problem`: why other files have no link, or null.",
  () => ({
    made: z.number(),
    problem: z.string().nullable(),
  }),
);
export type MakeLinksResponse = z.infer<typeof MakeLinksResponse>;
