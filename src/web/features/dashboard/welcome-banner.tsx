import { Plus } from "lucide-react";
import type { DashboardStats } from "#contract/calls.ts";
import { paths } from "../../app/routing/paths.ts";
import { useClaimingNote } from "../../jobs/order/use-claiming.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Mark } from "../../ui/page/mark.tsx";
import { describeActivity } from "./describe-activity.ts";

export function WelcomeBanner({ stats }: { stats: DashboardStats | undefined }) {
  const isHeldUp = useClaimingNote() !== null;
  return (
    <div className="relative flex min-h-28 items-center gap-4 overflow-hidden border-b border-line px-6 py-5 max-desk:grid max-desk:px-4 desk:rounded-t-3">
      <Mark className="pointer-events-none absolute -top-11 right-[196px] size-[200px] text-ink opacity-[.04] max-desk:hidden" />
      <div className="min-w-0 flex-1">
        <h1 className="text-20">Welcome back</h1>
        <p className="min-h-5">{stats && describeActivity(stats, isHeldUp)}</p>
      </div>
      <div className="relative grid">
        <LinkButton look="primary" icon={Plus} to={paths.createJob}>
          Create New Job
        </LinkButton>
      </div>
    </div>
  );
}
