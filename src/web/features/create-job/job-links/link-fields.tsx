import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId } from "react";
import { useController } from "react-hook-form";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { nameOutput, nameValuesOf } from "#contract/jobs/outputs/output-name.ts";
import { linkSlug, slugOfFile } from "#contract/links/link-slug.ts";
import { linkTarget } from "#contract/links/link-target.ts";
import { linksProblem } from "#contract/links/links-problem.ts";
import { listDomains } from "../../../api/functions/cloak.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import type { FormValues, JobForm, ReadForm } from "../draft/job-form.ts";
import { exampleOutput, type NameOfLink } from "../draft/name-example.ts";
import { useExampleNames } from "../draft/use-example-names.ts";
import { readFields } from "../setting-fields.ts";
import { UNCHOSEN_DOMAIN } from "./link-domain.ts";

export function LinkFields(props: FormValues) {
  const { value, onChange } = useController({ control: props.form.control, name: "linkDomainId" }).field;
  const isOn = value !== "";
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-3">
        <div className="grid gap-0.5">
          <span aria-hidden className="font-medium text-ink">
            Make a link for each file
          </span>
          <span className="text-12 text-ink-3">
            When the job is done, each file gets a route in Cloak Manager. The job's page shows the clicks.
          </span>
        </div>
        <Switch
          label="Make a link for each file"
          isLabelHidden
          checked={isOn}
          onChange={(event) => onChange(event.target.checked ? UNCHOSEN_DOMAIN : "")}
        />
      </div>
      {isOn && <OpenFields {...props} domainId={value} onDomain={onChange} />}
    </div>
  );
}

function OpenFields({
  form,
  values,
  read,
  domainId,
  onDomain,
}: FormValues & { domainId: string; onDomain: (id: string) => void }) {
  const id = useId();
  const isUnchosen = domainId === UNCHOSEN_DOMAIN;
  const domains = useQuery({
    queryKey: ["create-job", "domains"],
    queryFn: async ({ signal }) => (await listDomains(signal)).filter(({ status }) => status === "active"),
    staleTime: 0,
  });
  const isCurrent = domains.isSuccess && !domains.isFetching;
  const only = isCurrent && domains.data.length === 1 ? domains.data[0]!.id : null;
  const chooseOnly = useEffectEvent(onDomain);
  useEffect(() => {
    if (isUnchosen && only !== null) chooseOnly(only);
  }, [isUnchosen, only]);
  const options = (domains.data ?? []).map((domain) => ({ value: domain.id, label: decodeDomain(domain.name) }));
  const chosen = options.find(({ value }) => value === domainId);
  const example = linkExample(values, read, useExampleNames(read));
  const errorOf = (field: string): string | undefined =>
    "problem" in example && example.field === field && (field !== "linkTarget" || values.linkTarget.trim() !== "")
      ? example.problem
      : undefined;
  return (
    <div className="grid gap-4">
      <div className="max-w-72">
        <Field
          id={id}
          label={settingOf("link_domain_id").label}
          hint={explain({
            isFailed: domains.isError,
            count: domains.data?.length,
            isChosen: !isUnchosen,
            isKnown: !!chosen,
          })}
        >
          <Select
            id={id}
            label={settingOf("link_domain_id").label}
            className="w-full"
            options={options}
            value={chosen?.value ?? null}
            placeholder="Choose a domain"
            onChange={onDomain}
            onLost={() => undefined}
          />
        </Field>
      </div>
      <TextField
        {...form.register("linkTarget")}
        {...ADDRESS}
        label={settingOf("link_target").label}
        maxLength={JOB_LIMITS.linkCharacters}
        placeholder="https://shop.example/{row.sku}"
        hint="The page that the links open. Accepts the same fields as the name pattern, such as {row.url} for a column of addresses."
        error={errorOf("linkTarget")}
      />
      <TextField
        {...form.register("linkUtm")}
        {...ADDRESS}
        label={settingOf("link_utm").label}
        maxLength={JOB_LIMITS.utmCharacters}
        placeholder="utm_source=tiktok&utm_content={name}-{variant}"
        hint="Optional. Replaces UTM parameters of the same name in the target."
        error={errorOf("linkUtm")}
      />
      <TextField
        {...form.register("linkSlugPattern")}
        {...ADDRESS}
        label={settingOf("link_slug_pattern").label}
        maxLength={JOB_LIMITS.patternCharacters}
        placeholder="spring/{row.sku}-{variant}"
        hint="Optional. The default is the file name. Duplicate slugs get a number."
        error={errorOf("linkSlugPattern")}
      />
      {"slug" in example && (
        <p className="raw text-12 wrap-anywhere text-ink-3">
          The first link: <bdi className="text-ink">{`https://${chosen?.label ?? "…"}/${example.slug}`}</bdi> leads to{" "}
          <bdi className="text-ink">{example.target}</bdi>
        </p>
      )}
    </div>
  );
}

const ADDRESS = { autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;

function explain(state: {
  isFailed: boolean;
  count: number | undefined;
  isChosen: boolean;
  isKnown: boolean;
}): string | undefined {
  if (state.isFailed) return "Couldn't load the domains. Open the form again.";
  if (state.count === undefined) return undefined;
  if (state.isChosen && !state.isKnown) return "The domain is inactive or was deleted. Choose another one.";
  return state.count === 0 ? "No active domains. Add one in Cloak Manager." : undefined;
}

type LinkExample =
  | { slug: string; target: string }
  | { field: "linkTarget" | "linkSlugPattern" | "linkUtm"; problem: string };

const FIELDS: Record<string, "linkSlugPattern" | "linkUtm"> = {
  "Invalid Slug Pattern": "linkSlugPattern",
  "Invalid UTM Fields": "linkUtm",
};

/** Applies the server's rules. */
function linkExample(form: JobForm, read: ReadForm, nameOf: NameOfLink): LinkExample {
  const settings = readFields(form, ["link_domain_id", "link_target", "link_slug_pattern", "link_utm"]);
  const problem = linksProblem(
    settings,
    read.rows.map(({ pass }) => pass ?? {}),
  );
  if (problem) return { field: FIELDS[problem.title] ?? "linkTarget", problem: problem.description };
  const output = exampleOutput(form, read, nameOf);
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
