import { z } from "zod";
import { JOB_LIMITS } from "./job-limits.ts";

/** Ids of the samples that were shown. */
export const shownSamples = (error: string) => z.array(z.uuid({ error }), { error }).max(JOB_LIMITS.samples, { error });
