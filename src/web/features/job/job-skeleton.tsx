import { Pane, RailPane } from "../../ui/dialogs/pane.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";

export function JobSkeleton() {
  return (
    <>
      <Pane>
        <h1 className="sr-only">Job</h1>
        <div aria-busy aria-label="Loading the job" className="grid gap-3 px-6 py-5 max-desk:px-4">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-6 w-64 max-w-full" />
        </div>
        {["w-44", "w-36", "w-52"].map((width) => (
          <div key={width} className="border-t border-line px-6 py-4 max-desk:px-4">
            <Skeleton className={`h-3.5 ${width}`} />
          </div>
        ))}
      </Pane>
      <RailPane label="Progress" className="max-desk:hidden">
        <div className="grid gap-3 p-5">
          <Skeleton className="h-3 w-20" />
          <Skeleton className="h-7 w-36" />
          <Skeleton className="h-3" />
        </div>
      </RailPane>
    </>
  );
}
