import type { DomainStatus } from "#contract/cloak/cloak.ts";
import type { ListedDomain } from "../../../api/functions/cloak.ts";
import { Select } from "../../../ui/menus/select.tsx";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { StatusDot } from "../status-dot.tsx";
import { useSetDomainStatus } from "../use-cloak-write.ts";

const OPTIONS: readonly { value: DomainStatus; label: string }[] = [
  { value: "active", label: "Active" },
  { value: "inactive", label: "Inactive" },
];

export function DomainStatusSelect({ domain }: { domain: ListedDomain }) {
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
