import { z } from "zod";
import { JOB_LIMITS } from "./job-limits.ts";

const error = "samples: must be a list of output IDs";

/** Ids of the samples that were shown. */
export const shownSamples = z.array(z.uuid({ error }), { error }).max(JOB_LIMITS.samples, { error });
