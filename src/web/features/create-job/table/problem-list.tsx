import type { TableProblem } from "#contract/table/table.ts";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";

/** Further problems appear as these are fixed. */
const MOST_SHOWN = 200;

export function ProblemList({
  problems,
  current,
  onGo,
}: {
  problems: readonly TableProblem[];
  current: TableProblem | null;
  onGo: (problem: TableProblem) => void;
}) {
  const hidden = problems.length - MOST_SHOWN;
  return (
    <section
      aria-label="Problems"
      className="min-h-0 overflow-auto overscroll-contain border-line max-desk:max-h-44 max-desk:border-t desk:w-72 desk:border-t desk:border-l"
    >
      <ul>
        {problems.slice(0, MOST_SHOWN).map((problem) => (
          <li key={`${problem.row} ${problem.column} ${problem.message}`} className="border-b border-line">
            <button
              type="button"
              aria-current={problem === current || undefined}
              className="grid w-full gap-0.5 px-4 py-2 text-left -outline-offset-2 hover:bg-raised aria-[current]:bg-select"
              onClick={() => onGo(problem)}
            >
              <span className="tnum truncate text-12 font-medium text-ink">{describePlace(problem)}</span>
              <span className="text-12 wrap-anywhere text-ink-2">{problem.message}</span>
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="px-4 py-2 text-12 text-ink-3">and {pluralize(hidden, "more problem")}</p>}
    </section>
  );
}

/** Returns "Row 12 · caption". */
export function describePlace({ row, column }: TableProblem): string {
  const place = row === 0 ? "Columns" : `Row ${formatCount(row)}`;
  return column === "" ? place : `${place} · ${column}`;
}
