import { nameOutput, nameValuesOf } from "#contract/jobs/outputs/output-name.ts";
import { linkSlug, slugOfFile } from "#contract/links/link-slug.ts";
import { linkTarget } from "#contract/links/link-target.ts";
import { linksProblem } from "#contract/links/links-problem.ts";
import { firstOutput, type Library } from "../draft/name-example.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { readFields } from "../setting-fields.ts";

type LinkExample =
  | { slug: string; target: string }
  | { field: "linkTarget" | "linkSlugPattern" | "linkUtm"; problem: string };

const FIELDS: Record<string, "linkSlugPattern" | "linkUtm"> = {
  "Invalid Slug Pattern": "linkSlugPattern",
  "Invalid UTM Fields": "linkUtm",
};

/** Applies the server's rules. */
export function linkExample(form: JobForm, read: ReadForm, library: Library): LinkExample {
  const settings = readFields(form, ["link_domain_id", "link_target", "link_slug_pattern", "link_utm"]);
  const problem = linksProblem(
    settings,
    read.rows.map(({ pass }) => pass ?? {}),
  );
  if (problem) return { field: FIELDS[problem.title] ?? "linkTarget", problem: problem.description };
  const output = firstOutput(form, read, library);
  const values = nameValuesOf(output);
  const pattern = settings.link_slug_pattern;
  return {
    slug:
      pattern === null
        ? slugOfFile(nameOutput(output).name)
        : linkSlug(pattern, values, `${values.position}-${values.variant}`),
    target: linkTarget(settings.link_target ?? "", settings.link_utm, values) ?? "",
  };
}
