/** No zod, to keep it out of the form's bundle. */
import type { JobProblem } from "../jobs/size-problem.ts";
import { NAME_FIELDS, type NameValues, patternProblem } from "../jobs/outputs/output-name.ts";
import { firstField, linkTarget, readUtm } from "./link-target.ts";

type Row = Readonly<Record<string, string>>;

const ANY_VALUES = Object.fromEntries(NAME_FIELDS.map((name) => [name, "1"])) as Omit<NameValues, "row">;

/**
 * Returns a problem of the link settings, or null. Other settings have no effect without a domain. `rows` has each
 * row's passed columns. Accepts any value; never throws.
 */
export function linksProblem(job: Readonly<Record<string, unknown>>, rows: readonly Row[]): JobProblem | null {
  if (typeof job.link_domain_id !== "string" || job.link_domain_id === "") return null;
  const [target, slug, utm] = [job.link_target, job.link_slug_pattern, job.link_utm].map((value) =>
    typeof value === "string" ? value.trim() : "",
  ) as [string, string, string];
  if (target === "") return problem("Link Target Required", "Enter the address to which the links lead");
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  const hasColumn = (column: string): boolean => columns.has(column);
  const inTarget = patternProblem(target, hasColumn, "link target") ?? targetProblem(target, rows);
  if (inTarget !== null) return problem("Invalid Link Target", inTarget);
  const inSlug = patternProblem(slug, hasColumn, "slug pattern");
  if (inSlug !== null) return problem("Invalid Slug Pattern", inSlug);
  const inUtm = utmProblem(utm, hasColumn);
  return inUtm === null ? null : problem("Invalid UTM Fields", inUtm);
}

function problem(title: string, description: string): JobProblem {
  return { title, description };
}

function targetProblem(target: string, rows: readonly Row[]): string | null {
  const isAddress = (row: Row): boolean => linkTarget(target, null, { ...ANY_VALUES, row }) !== null;
  const first = firstField(target);
  if (first === "") return isAddress({}) ? null : `The link target ${MUST}`;
  if (!first.slice(1).trimStart().startsWith("row.")) {
    return `The link target can't start with "${first}"; start with http://, https:// or a column such as {row.url}`;
  }
  const wrong = rows.findIndex((row) => !isAddress(row));
  return wrong === -1 ? null : `Row ${wrong + 1}: the link target ${MUST}`;
}

const MUST = "must be a web address that starts with http:// or https://, with at most 2,000 characters";

function utmProblem(utm: string, hasColumn: (column: string) => boolean): string | null {
  const fields = readUtm(utm);
  const stranger = fields.find(({ name }) => !/^utm_[a-z0-9_]{1,40}$/.test(name));
  if (stranger) {
    return `"${stranger.name.slice(0, 40)}" is not a UTM field; write utm_source=tiktok&utm_content={name}, for example`;
  }
  const twice = fields.find(({ name }, i) => fields.findIndex((other) => other.name === name) !== i);
  if (twice) return `"${twice.name}" appears twice`;
  for (const { name, pattern } of fields) {
    const found = patternProblem(pattern, hasColumn, `field ${name}`);
    if (found !== null) return found;
  }
  return null;
}
