import { Skeleton } from "../../ui/states/skeleton.tsx";

export function ListSkeleton() {
  return (
    <div aria-busy className="grid gap-5 px-6 py-4 max-desk:px-4">
      {[0, 1].map((row) => (
        <div key={row} className="grid gap-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-3 w-72 max-w-full" />
        </div>
      ))}
    </div>
  );
}
