import { SlidersHorizontal } from "lucide-react";
import { useId, useState } from "react";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { countOwn, describePass, describeRow } from "./describe-row.ts";
import { pluralize } from "./pluralize.ts";
import { onSingleClick } from "../../ui/buttons/on-single-click.ts";
import { Icon } from "../../ui/page/icon.tsx";

/** Renders nothing without a row. In a wrapping row, the details get their own line. */
export function OwnSettings({
  row,
  name,
  isTabStop = true,
}: {
  row: JobRow | null;
  /** The video's name. */
  name: string;
  /** False in a grid, where arrow keys reach it. */
  isTabStop?: boolean;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  if (!row) return null;
  const own = countOwn(row.settings);
  const passed = describePass(row);
  if (own + passed.length === 0 && row.name === undefined) return null;
  const [only] = describeRow(row.settings);
  const label = own > 1 ? pluralize(own, "custom setting") : only ? only.join(": ") : "From a table";
  return (
    <span className="contents">
      <button
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`${label} of ${name}`}
        className="-my-1 inline-flex min-h-6 max-w-full min-w-0 items-center gap-[5px] rounded-1 text-12 text-ink-2 underline-offset-2 hover:underline max-desk:my-0 max-desk:min-h-11"
        onClick={onSingleClick(() => setIsOpen(!isOpen))}
      >
        <Icon icon={SlidersHorizontal} size={14} className="shrink-0 text-ink-3" />
        <bdi className="truncate">{label}</bdi>
      </button>
      <dl
        id={id}
        hidden={!isOpen}
        className="my-1 grid basis-full grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-12 select-text [&[hidden]]:hidden"
      >
        {row.name !== undefined && <Fact name="Name" value={row.name} />}
        {describeRow(row.settings).map(([key, value]) => (
          <Fact key={key} name={key} value={value} />
        ))}
        {passed.map(([key, value]) => (
          <Fact key={`pass ${key}`} name={key} value={value} />
        ))}
      </dl>
    </span>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
    </>
  );
}
