/** How a job wants its captions drawn. */
import type { CaptionPosition, CaptionSize, CaptionStyle } from "#contract/jobs.ts";

export type CaptionLook = { style: CaptionStyle; position: CaptionPosition; size: CaptionSize };
