import { useController, type UseFormReturn } from "react-hook-form";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { describePlace } from "../../../destinations/describe-place.ts";
import { useDestinations } from "../../../destinations/use-destinations.ts";
import { paths } from "../../../app/routing/paths.ts";
import { LinkButton } from "../../../ui/buttons/link-button.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import type { JobForm } from "../draft/job-form.ts";

export function DestinationsField({ form }: { form: UseFormReturn<JobForm> }) {
  const { data, error } = useDestinations();
  const { value, onChange } = useController({ control: form.control, name: "destinations" }).field;
  const chosen = value.split("\n").filter((id) => id !== "");
  const known = data?.data ?? [];
  const removed = data ? chosen.filter((id) => !known.some((one) => one.id === id)) : [];

  function toggle(id: string) {
    onChange((chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]).join("\n"));
  }
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-ink">{settingOf("destinations").label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {known.map((destination) => (
          <span key={destination.id} {...tooltip(describePlace(destination))}>
            <Checkbox
              label={destination.enabled ? destination.name : `${destination.name} (turned off)`}
              checked={chosen.includes(destination.id)}
              disabled={!chosen.includes(destination.id) && chosen.length >= JOB_LIMITS.destinations}
              onChange={() => toggle(destination.id)}
            />
          </span>
        ))}
        {removed.map((id) => (
          <Checkbox key={id} label="Removed destination" checked onChange={() => toggle(id)} />
        ))}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-12 text-ink-3">
        {error && !data
          ? "Couldn't load the destinations."
          : removed.length > 0
            ? "A destination was removed in Settings. Clear it to create the job."
            : data?.data.length === 0
              ? "Files stay on this server. A destination also delivers them elsewhere."
              : "Files are delivered when the job is completed."}
        <LinkButton to={paths.settings} hash="destinations" size="sm" look="quiet">
          New destination
        </LinkButton>
      </p>
    </fieldset>
  );
}
