import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { paths } from "../../../app/routing/paths.ts";
import { Icon } from "../../../ui/page/icon.tsx";

export function ChangeNote({ jobId }: { jobId: string }) {
  return (
    <div className="mx-6 mb-4 flex items-center gap-3 rounded-2 border border-line bg-raised px-3 py-2 max-desk:mx-4">
      <Icon icon={Pencil} className="shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1 text-12 text-ink-2">
        <b className="font-medium text-ink">You are changing a job that awaits approval.</b> Samples that the changes do
        not affect are kept.
      </p>
      <Link to={paths.job} params={{ jobId }} className="shrink-0 rounded-1 text-12 font-medium text-ink underline">
        Back to the job
      </Link>
    </div>
  );
}
