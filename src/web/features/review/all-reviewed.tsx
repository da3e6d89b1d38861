import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { pluralize } from "../../jobs/row/pluralize.ts";
import type { ReviewFilter } from "./list/review-list.ts";

export function AllReviewed({
  filter,
  counts,
  onShow,
}: {
  filter: ReviewFilter;
  counts: Record<ReviewFilter, number>;
  onShow: (filter: ReviewFilter) => void;
}) {
  const isDone = filter === "unreviewed";
  return (
    <div className="pt-[8vh]">
      <EmptyState
        title={isDone ? "All files are reviewed" : `No ${filter} files`}
        text={
          isDone
            ? `${pluralize(counts.approved, "file")} approved, ${counts.rejected} rejected.`
            : "Choose another filter."
        }
        action={<Button onClick={() => onShow("all")}>Show all files</Button>}
      />
    </div>
  );
}
