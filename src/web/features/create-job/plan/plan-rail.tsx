import type { ReactNode } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { RailPane } from "../../../ui/dialogs/pane.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { keepsPopover } from "../../../ui/menus/popover.tsx";
import { PreviewPane } from "../preview/preview-pane.tsx";
import { PreviewPeek } from "../preview/preview-peek.tsx";
import type { Preview } from "../preview/use-preview.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { JobForm } from "../draft/job-form.ts";
import { describeSum, type Plan } from "./describe-plan.ts";

export function PlanRail({
  plan,
  preview,
  missing,
  empty,
  isBusy,
  form,
  startLabel = "Start Processing",
  children,
}: {
  plan: Plan;
  preview: Preview;
  /** Why the job cannot start. */
  missing: string | null;
  /** What else Start would reject. */
  empty: string | null;
  isBusy: boolean;
  form: UseFormReturn<JobForm>;
  startLabel?: string | undefined;
  children: ReactNode;
}) {
  return (
    <RailPane
      {...keepsPopover}
      label="Plan"
      className="desk:flex desk:flex-col desk:has-data-progress-card:[--card:170px] max-desk:bottom-0 max-desk:[@media(min-height:480px)]:sticky max-desk:z-[4] max-desk:border-t max-desk:border-line-strong max-desk:bg-overlay"
    >
      {children}
      <div className="max-desk:hidden">
        <PreviewPane preview={preview} />
        <PlanDetails plan={plan} form={form} />
      </div>
      {/* Stays at the bottom of the rail, so that the button never moves while the rest loads. */}
      <div className="grid gap-2 px-5 pb-5 desk:sticky desk:bottom-0 desk:mt-auto desk:rounded-b-3 desk:border-t desk:border-line desk:bg-pane desk:pt-4 max-desk:flex max-desk:items-center max-desk:gap-3 max-desk:px-4 max-desk:py-3">
        <PreviewPeek preview={preview} />
        <PlanLine plan={plan} missing={missing ?? empty} />
        <Button type="submit" look="primary" size="lg" disabled={missing !== null} isBusy={isBusy}>
          {startLabel}
        </Button>
        {(missing ?? empty) && <p className="text-12 text-ink-3 max-desk:hidden">{missing ?? empty}</p>}
      </div>
    </RailPane>
  );
}

function PlanLine({ plan, missing }: { plan: Plan; missing: string | null }) {
  return (
    <p
      className={classNames(
        "tnum line-clamp-2 min-w-0 flex-1 desk:hidden",
        missing ? "text-12 text-ink-3" : "truncate text-14 font-semibold text-ink",
      )}
    >
      {missing ?? describeSum(plan)}
    </p>
  );
}

function PlanDetails({ plan, form }: { plan: Plan; form: UseFormReturn<JobForm> }) {
  return (
    <section className="grid gap-4 px-5 py-4">
      <h2 className="sr-only">Plan</h2>
      <div className="flex flex-wrap items-baseline justify-between gap-x-1">
        <Figure value={plan.videos} noun="video" />
        {plan.variants !== null && (
          <>
            <Sign>×</Sign>
            {plan.videos > 0 ? (
              <VariantsFigure form={form} variants={plan.variants} />
            ) : (
              <Figure value={plan.variants} noun="variant" />
            )}
          </>
        )}
        {plan.languages > 1 && (
          <>
            <Sign>×</Sign>
            <Figure value={plan.languages} noun="language" />
          </>
        )}
        {plan.formats > 1 && (
          <>
            <Sign>×</Sign>
            <Figure value={plan.formats} noun="format" />
          </>
        )}
        <span className="flex items-baseline gap-3">
          <Sign>=</Sign>
          <Figure value={plan.files} noun="file" isAbout={!plan.isExact} />
        </span>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-12">
        {plan.facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="tnum truncate text-right text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      {!plan.isExact && <p className="text-12 text-ink-3">Longer videos produce more clips and more files.</p>}
      {plan.warning && <WarningNote text={plan.warning} />}
    </section>
  );
}

function Figure({ value, noun, isAbout = false }: { value: number; noun: string; isAbout?: boolean }) {
  const [figure, unit] = pluralize(value, noun).split(" ");
  return (
    <span className="grid">
      <b className="tnum text-28">{figure}</b>
      <span className="text-12 text-ink-3">
        {unit}
        {isAbout && " or more"}
      </span>
    </span>
  );
}

/** The same field as in the first step, where the plan shows what it does. */
function VariantsFigure({ form: { control, setValue }, variants }: { form: UseFormReturn<JobForm>; variants: number }) {
  const text = useWatch({ control, name: "variants" });
  const set = (next: string) => setValue("variants", next, { shouldDirty: true });
  return (
    <label className="grid">
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label="Variants"
        value={text}
        style={{ width: `calc(${Math.max(1, text.length)}ch + 14px)` }}
        className="tnum -mx-1.5 -mb-0.5 h-9 rounded-2 border border-line-strong bg-well px-1.5 text-28 font-semibold text-ink hover:border-control focus:outline-2 focus:outline-focus"
        onChange={({ target }) => set(target.value)}
        onBlur={() => set(String(variants))}
      />
      <span aria-hidden className="text-12 text-ink-3">
        {pluralize(variants, "variant").split(" ")[1]}
      </span>
    </label>
  );
}

function Sign({ children }: { children: ReactNode }) {
  return <span className="text-20 text-ink-3">{children}</span>;
}
