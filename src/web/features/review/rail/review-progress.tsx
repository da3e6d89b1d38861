import { formatCount } from "../../../jobs/row/pluralize.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Strip } from "../../../ui/states/strip.tsx";
import { REVIEW_FILTERS, type ReviewFilter } from "../list/review-list.ts";

const LABELS: Record<ReviewFilter, string> = {
  unreviewed: "Not reviewed",
  approved: "Approved",
  rejected: "Rejected",
  all: "All",
};

export function ReviewProgress({
  counts,
  filter,
  saving,
  onFilter,
}: {
  counts: Record<ReviewFilter, number>;
  filter: ReviewFilter;
  saving: string;
  onFilter: (filter: ReviewFilter) => void;
}) {
  const reviewed = counts.all - counts.unreviewed;
  return (
    <section aria-label="Progress" className="px-5 py-4 max-desk:px-4">
      <Strip
        label="Reviewed files"
        fraction={counts.all === 0 ? 0 : reviewed / counts.all}
        figure={`${formatCount(reviewed)} of ${formatCount(counts.all)}`}
      />
      <fieldset aria-label="Show" className="mt-3 grid gap-px max-desk:grid-cols-2">
        {REVIEW_FILTERS.map((option) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === filter}
            className={classNames(
              "flex h-8 items-center justify-between rounded-2 px-2.5 font-medium transition-colors max-desk:h-11",
              option === filter ? "bg-raised-2 text-ink" : "text-ink-2 hover:bg-raised hover:text-ink",
            )}
            onClick={() => onFilter(option)}
          >
            {LABELS[option]}
            <span className="tnum font-normal text-ink-3">{formatCount(counts[option])}</span>
          </button>
        ))}
      </fieldset>
      <output className="mt-2 block min-h-4 text-12 text-ink-3">{saving}</output>
    </section>
  );
}
