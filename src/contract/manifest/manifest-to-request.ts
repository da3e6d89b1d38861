import { z } from "zod";
import { ClipmillError } from "../errors.ts";
import type { CreateJobRequest } from "../jobs/create-job.ts";
import { SETTING_NAMES } from "../job-settings/setting-values.ts";
import { MANIFEST_VERSION } from "./manifest.ts";

export const manifestSchema = z.object({ manifest_version: z.int(), request: z.record(z.string(), z.unknown()) });

/**
 * Returns the request for the same job, still unchecked. Throws ClipmillError "invalid" for anything but a manifest and
 * for settings that this version does not support.
 */
export function manifestToRequest(manifest: unknown): Partial<CreateJobRequest> {
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success) throw new ClipmillError("invalid", "This is not the manifest.json of a job.");
  const { manifest_version: version, request } = parsed.data;
  if (version > MANIFEST_VERSION)
    throw new ClipmillError("invalid", "This manifest is from a newer version of Clipmill.");
  const known = new Set<string>(SETTING_NAMES);
  const unknown = Object.keys(request).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new ClipmillError(
      "invalid",
      `This manifest has the setting "${unknown}", which this version of Clipmill does not support.`,
    );
  }
  return request;
}
