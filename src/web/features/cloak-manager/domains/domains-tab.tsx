import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { DomainStatus } from "#contract/cloak/cloak.ts";
import type { ListedDomain } from "../../../api/functions/cloak.ts";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { Table, TableCell, type TableColumn, TableSkeleton } from "../../../ui/page/table.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { StatusDot } from "../status-dot.tsx";
import type { useDomains } from "../use-cloak-data.ts";
import { useDeleteDomain, useSetDomainStatus } from "../use-cloak-write.ts";
import { AddDomainDialog } from "./add-domain-dialog.tsx";
import { DomainNotes } from "./domain-notes.tsx";

const FIGURE = "desk:text-right";
const COLUMNS: readonly TableColumn[] = [
  { label: "Domain" },
  { label: "Status" },
  { label: "Routes", className: FIGURE },
  { label: "Created", className: FIGURE },
  { label: "Actions", isLabelHidden: true },
];
const GRID =
  "desk:grid-cols-[minmax(0,1fr)_128px_80px_120px_28px] max-desk:grid-cols-[minmax(0,1fr)_auto_auto] max-desk:gap-x-3";

export function DomainsTab({
  domains,
  onShowRoutes,
}: {
  domains: ReturnType<typeof useDomains>;
  onShowRoutes: (domainId: string) => void;
}) {
  const [isAdding, setIsAdding] = useState(false);
  const [domainToDelete, setDomainToDelete] = useState<ListedDomain | null>(null);
  const addButton = (
    <Button icon={Plus} onClick={() => setIsAdding(true)}>
      Add Domain
    </Button>
  );
  return (
    <>
      <div className="flex justify-end px-6 py-3 max-desk:px-4">{addButton}</div>
      <DomainList
        domains={domains}
        domainToDelete={domainToDelete}
        onShowRoutes={onShowRoutes}
        onDelete={setDomainToDelete}
      />
      <AddDomainDialog isOpen={isAdding} onClose={() => setIsAdding(false)} />
      <DeleteDialog
        target={domainToDelete}
        title="Delete this domain?"
        describe={describeLoss}
        confirmLabel="Delete domain"
        cancelLabel="Keep domain"
        deletion={useDeleteDomain()}
        onClose={() => setDomainToDelete(null)}
      />
    </>
  );
}

function describeLoss({ name, routes: [{ count }] }: ListedDomain): string {
  const loss = count === 0 ? "It has no routes." : `Its ${pluralize(count, "route")} will also be deleted.`;
  return `${decodeDomain(name)} will be deleted. ${loss}`;
}

function DomainList({
  domains: { data, isError, isFetching, refetch },
  domainToDelete,
  onShowRoutes,
  onDelete,
}: {
  domains: ReturnType<typeof useDomains>;
  domainToDelete: ListedDomain | null;
  onShowRoutes: (domainId: string) => void;
  onDelete: (domain: ListedDomain) => void;
}) {
  if (!data && isError) {
    return (
      <ErrorState
        title="Failed to load domains"
        text="Couldn't read the list from the server."
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) return <TableSkeleton label="Loading domains" columns={COLUMNS} gridClassName={GRID} />;
  if (data.length === 0) {
    return (
      <EmptyState
        title="No domains configured yet. Add your first domain to get started."
        text="A domain is where your routes live. Point the domain's DNS to your redirector."
      />
    );
  }
  return (
    <Table
      label="Domains"
      columns={COLUMNS}
      gridClassName={GRID}
      items={data}
      keyOf={({ id }) => id}
      activeKey={domainToDelete?.id}
    >
      {(domain) => <DomainCells domain={domain} onShowRoutes={onShowRoutes} onDelete={onDelete} />}
    </Table>
  );
}

function DomainCells({
  domain,
  onShowRoutes,
  onDelete,
}: {
  domain: ListedDomain;
  onShowRoutes: (domainId: string) => void;
  onDelete: (domain: ListedDomain) => void;
}) {
  const name = decodeDomain(domain.name);
  const [{ count }] = domain.routes;
  return (
    <>
      <TableCell className="flex items-center gap-1 max-desk:col-span-2">
        <span className="raw truncate font-medium text-ink max-desk:text-14" {...tooltipWhenCut(name)}>
          {name}
        </span>
        {domain.notes && <DomainNotes name={name} notes={domain.notes} />}
      </TableCell>
      <TableCell className="max-desk:row-start-2">
        <DomainStatusSelect domain={domain} />
      </TableCell>
      <TableCell className={`tnum ${FIGURE} max-desk:row-start-2`}>
        <button
          type="button"
          aria-label={`${pluralize(count, "route")} on ${name}`}
          className="rounded-1 underline decoration-line-strong underline-offset-4 transition-colors hover:text-ink max-desk:min-h-11"
          onClick={() => onShowRoutes(domain.id)}
        >
          {formatCount(count)}
          <span className="desk:hidden"> {count === 1 ? "route" : "routes"}</span>
        </button>
      </TableCell>
      <TableCell className={`tnum text-12 whitespace-nowrap text-ink-3 ${FIGURE} max-desk:row-start-2`}>
        <time dateTime={domain.created_at} {...tooltip(formatWholeDate(domain.created_at))}>
          {formatShortDate(domain.created_at)}
        </time>
      </TableCell>
      <TableCell className="max-desk:col-start-3 max-desk:row-start-1 max-desk:justify-self-end">
        <IconButton icon={Trash2} label="Delete Domain" onClick={() => onDelete(domain)} />
      </TableCell>
    </>
  );
}

const OPTIONS: readonly { value: DomainStatus; label: string }[] = [
  { value: "active", label: "Active" },
  { value: "inactive", label: "Inactive" },
];

function DomainStatusSelect({ domain }: { domain: ListedDomain }) {
  const { mutate, isPending, variables } = useSetDomainStatus();
  const status = isPending ? variables.status : domain.status;

  function handleChange(chosen: DomainStatus) {
    if (chosen !== status) mutate({ id: domain.id, status: chosen });
  }
  return (
    <Select
      label={`Status of ${decodeDomain(domain.name)}`}
      look="quiet"
      className={`-ml-2 ${status === "active" ? "text-ink-2" : "text-ink-3"}`}
      glyph={<StatusDot isActive={status === "active"} />}
      options={OPTIONS}
      value={status}
      onChange={handleChange}
    />
  );
}
