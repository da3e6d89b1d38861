import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useMemo } from "react";
import type { CloakStateResponse, RouteHealth } from "#contract/cloak/cloak.ts";
import type { ListedRoute } from "../../../api/functions/cloak.ts";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { useNow } from "../../../jobs/time/elapsed.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import type { LucideIcon } from "../../../ui/page/icon.tsx";
import { Table, TableCell, type TableColumn, TableSkeleton } from "../../../ui/page/table.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { StatusBadge, type StatusTone } from "../../../ui/states/status-badge.tsx";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { describeHealth } from "../describe-health.ts";
import { StatusDot } from "../status-dot.tsx";
import type { useRoutes } from "../use-cloak-data.ts";
import { matchRoutes } from "./match-routes.ts";
import { RouteActions } from "./route-actions.tsx";

const FIGURE = "desk:text-right";
const COLUMNS: readonly TableColumn[] = [
  { label: "Domain" },
  { label: "Slug" },
  { label: "Destination" },
  { label: "Status" },
  { label: "Clicks today", className: `${FIGURE} max-wide:hidden` },
  { label: "Clicks, 7 days", className: FIGURE },
  { label: "Actions", isLabelHidden: true },
];
const GRID =
  "desk:grid-cols-[minmax(0,1fr)_minmax(0,.7fr)_minmax(0,1.4fr)_84px_88px_92px] " +
  "wide:grid-cols-[minmax(0,1fr)_minmax(0,.7fr)_minmax(0,2fr)_156px_80px_88px_92px] max-desk:grid-cols-[minmax(0,1fr)_auto]";

type RouteListProps = {
  routes: ReturnType<typeof useRoutes>;
  state: CloakStateResponse | undefined;
  search: string;
  isFiltering: boolean;
  activeId: string | null;
  onClear: () => void;
  onEdit: (route: ListedRoute) => void;
  onDelete: (route: ListedRoute) => void;
};

export function RouteList({
  routes: { data, isError, isFetching, refetch },
  state,
  search,
  isFiltering,
  activeId,
  onClear,
  onEdit,
  onDelete,
}: RouteListProps) {
  const found = useMemo(() => data && matchRoutes(data, search), [data, search]);
  const health = useMemo(() => new Map(state?.health.map((row) => [row.routeId, row])), [state?.health]);
  const counts = useMemo(() => new Map(state?.counts.map((row) => [row.routeId, row])), [state?.counts]);
  if (!found && isError) {
    return (
      <ErrorState
        title="Failed to load routes"
        text="Couldn't read the list from the server."
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!found) return <TableSkeleton label="Loading routes" columns={COLUMNS} gridClassName={GRID} />;
  if (found.length === 0 && isFiltering) {
    return (
      <EmptyState
        title="No routes found"
        text="No route matches these filters."
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  if (found.length === 0) {
    return (
      <EmptyState
        title="No routes found. Create your first route to get started."
        text="A route redirects visitors from a URL on one of your domains to a destination you choose."
      />
    );
  }
  return (
    <Table
      label="Routes"
      columns={COLUMNS}
      gridClassName={GRID}
      items={found}
      keyOf={({ id }) => id}
      activeKey={activeId}
    >
      {(route) => (
        <>
          <RouteCells route={route} />
          <TableCell className="flex flex-wrap items-center gap-x-3 max-desk:row-start-3">
            <span className="inline-flex items-center gap-2 text-12 font-medium">
              <StatusDot isActive={route.active} />
              {route.active ? "Active" : <span className="text-ink-3">Inactive</span>}
            </span>
            <RouteHealthBadge health={health.get(route.id)} />
          </TableCell>
          <TableCell className={`tnum ${FIGURE} max-wide:hidden`}>
            {showCount(counts.get(route.id)?.today, state)}
          </TableCell>
          <TableCell className={`tnum ${FIGURE} max-desk:row-start-3 max-desk:text-12 max-desk:text-ink-3`}>
            <span className="desk:hidden">{showCount(counts.get(route.id)?.today, state)} today · </span>
            {showCount(counts.get(route.id)?.last7Days, state)}
            <span className="desk:hidden"> in 7 days</span>
          </TableCell>
          <TableCell className="flex justify-end gap-1 max-desk:col-start-2 max-desk:row-start-1 max-desk:-mr-3">
            <RouteActions route={route} onEdit={onEdit} onDelete={onDelete} />
          </TableCell>
        </>
      )}
    </Table>
  );
}

function RouteCells({ route }: { route: ListedRoute }) {
  const name = decodeDomain(route.domains.name);
  return (
    <>
      <TableCell
        className="raw truncate font-medium text-ink max-desk:row-start-1 max-desk:text-14"
        {...tooltipWhenCut(name)}
      >
        <span>{name}</span>
        <span className="font-mono text-12 font-normal text-ink-2 desk:hidden"> /{route.slug}</span>
      </TableCell>
      <TableCell className="raw truncate font-mono text-12 max-desk:hidden" {...tooltipWhenCut(route.slug)}>
        {route.slug}
      </TableCell>
      <TableCell
        className="raw truncate max-desk:col-span-2 max-desk:row-start-2 max-desk:text-12 max-desk:text-ink-3"
        {...tooltipWhenCut(route.primary_url)}
      >
        {route.primary_url}
      </TableCell>
    </>
  );
}

/** Returns "" until the server responds; then 0 for unlisted routes. */
function showCount(count: number | undefined, state: CloakStateResponse | undefined): string {
  return state ? formatCount(count ?? 0) : "";
}

const LOOKS: Record<RouteHealth["state"], { tone: StatusTone; icon: LucideIcon; label: string }> = {
  up: { tone: "completed", icon: CircleCheck, label: "Up" },
  down: { tone: "failed", icon: CircleAlert, label: "Down" },
  unknown: { tone: "cancelled", icon: CircleDashed, label: "Unknown" },
};

/** Renders nothing for routes without a fallback, which are not checked. */
function RouteHealthBadge({ health }: { health: RouteHealth | undefined }) {
  const nowMs = useNow(false);
  if (!health) return null;
  const words = describeHealth(health, nowMs);
  return (
    <span className="inline-flex" {...tooltip(words)}>
      <StatusBadge {...LOOKS[health.state]} isInline />
      <span className="sr-only">{words}</span>
    </span>
  );
}
