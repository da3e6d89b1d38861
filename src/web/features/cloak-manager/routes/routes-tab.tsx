import { Plus } from "lucide-react";
import { useState } from "react";
import type { CloakStateResponse } from "#contract/cloak/cloak.ts";
import type { ListedDomain, ListedRoute } from "../../../api/functions/cloak.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { SearchField } from "../../../ui/fields/search-field.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { publicUrl } from "./public-url.ts";
import { RouteList } from "./route-list.tsx";
import { RouteSheet } from "./route-sheet.tsx";
import type { CloakAddress } from "../use-cloak-address.ts";
import { useRoutes } from "../use-cloak-data.ts";
import { useDeleteRoute } from "../use-cloak-write.ts";

const ALL = "all";

export function RoutesTab({
  domains,
  state,
  address,
  onChange,
}: {
  domains: readonly ListedDomain[] | undefined;
  state: CloakStateResponse | undefined;
  address: CloakAddress;
  onChange: (changes: Partial<CloakAddress>) => void;
}) {
  const routes = useRoutes(address.domainId);
  const [edited, setEdited] = useState<ListedRoute | "new" | null>(null);
  const [routeToDelete, setRouteToDelete] = useState<ListedRoute | null>(null);
  const options = [
    { value: ALL, label: "All domains" },
    ...(domains ?? []).map(({ id, name }) => ({ value: id, label: decodeDomain(name) })),
  ];
  const isKnown = options.some(({ value }) => value === address.domainId);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-6 py-3 max-desk:px-4">
        <Select
          label="Filter by domain"
          className="w-52 max-desk:w-full"
          options={options}
          value={isKnown ? address.domainId : address.domainId === null ? ALL : null}
          placeholder={domains ? "Deleted domain" : "All domains"}
          onChange={(domainId) => onChange({ domainId: domainId === ALL ? null : domainId })}
          onLost={() => onChange({ domainId: null })}
        />
        <div className="w-52 max-desk:w-auto max-desk:flex-1">
          <SearchField
            label="Search routes"
            placeholder="Search routes..."
            value={address.search}
            onChange={(search) => onChange({ search })}
          />
        </div>
        <Button icon={Plus} className="ml-auto max-desk:h-11" disabled={!domains} onClick={() => setEdited("new")}>
          New Route
        </Button>
      </div>
      <RouteList
        routes={routes}
        state={state}
        search={address.search}
        isFiltering={address.domainId !== null || address.search !== ""}
        activeId={edited === "new" ? null : (edited?.id ?? routeToDelete?.id ?? null)}
        onClear={() => onChange({ domainId: null, search: "" })}
        onEdit={setEdited}
        onDelete={setRouteToDelete}
      />
      <RouteSheet
        // The sheet preselects a domain on opening.
        route={domains ? edited : null}
        domains={domains ?? []}
        filteredDomainId={address.domainId}
        onClose={() => setEdited(null)}
      />
      <DeleteDialog
        target={routeToDelete}
        title="Delete this route?"
        describe={({ domains: { name }, slug }) => `${publicUrl(decodeDomain(name), slug)} will be deleted.`}
        confirmLabel="Delete route"
        cancelLabel="Keep route"
        deletion={useDeleteRoute()}
        onClose={() => setRouteToDelete(null)}
      />
    </>
  );
}
