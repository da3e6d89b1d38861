import { Copy } from "lucide-react";
import { useId } from "react";
import { useController, useForm, useWatch, type UseFormReturn } from "react-hook-form";
import type { ListedDomain, ListedRoute } from "../../../api/functions/cloak.ts";
import { useOpened } from "../../../editors/use-saving.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { publicUrl } from "./public-url.ts";
import { routeRules, toRouteDraft, toRouteForm, type RouteForm } from "./route-form.ts";
import { useAddRoute, useChangeRoute } from "../use-cloak-write.ts";
import { useCopyUrl } from "./use-copy-url.ts";

type RouteSheetProps = {
  /** Null closes the sheet. */
  route: ListedRoute | "new" | null;
  domains: readonly ListedDomain[];
  filteredDomainId: string | null;
  onClose: () => void;
};

export function RouteSheet({ route, ...rest }: RouteSheetProps) {
  const shown = useOpened(route);
  return shown && <OpenedSheet key={shown.opening} route={shown.item} isOpen={shown.isOpen} {...rest} />;
}

function OpenedSheet({
  route,
  isOpen,
  domains,
  filteredDomainId,
  onClose,
}: Omit<RouteSheetProps, "route"> & { route: ListedRoute | null; isOpen: boolean }) {
  const form = useForm<RouteForm>({
    defaultValues: toRouteForm(route, domains, filteredDomainId),
    mode: "onTouched",
  });
  const addition = useAddRoute();
  const change = useChangeRoute();
  const { errors } = form.formState;
  const isComplete = useWatch({
    control: form.control,
    compute: (values: RouteForm) => toRouteDraft(values) !== null,
  });
  const isSaving = addition.isPending || change.isPending;

  function save(values: RouteForm) {
    const draft = toRouteDraft(values);
    if (!draft || isSaving) return;
    if (route) change.mutate({ id: route.id, draft }, { onSuccess: onClose });
    else addition.mutate(draft, { onSuccess: onClose });
  }
  return (
    <Sheet
      isOpen={isOpen}
      title={route ? "Edit Route" : "New Route"}
      hint="Goes live with the next publish."
      onClose={onClose}
      onSubmit={(event) => void form.handleSubmit(save)(event)}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={!isComplete} isBusy={isSaving}>
            {route ? "Update route" : "Create route"}
          </Button>
        </>
      }
    >
      <DomainField form={form} domains={domains} route={route} />
      <TextField
        label="Slug *"
        hint="Use __root__ for root domain redirects"
        error={errors.slug?.message}
        {...ADDRESS_INPUT}
        {...form.register("slug", { validate: routeRules.slug })}
      />
      <TextField
        label="Primary URL *"
        placeholder="https://"
        error={errors.primaryUrl?.message}
        {...ADDRESS_INPUT}
        {...form.register("primaryUrl", { validate: routeRules.primaryUrl })}
      />
      <TextField
        label="Fallback URL"
        placeholder="https://"
        hint="Used when the primary URL isn't responding."
        error={errors.fallbackUrl?.message}
        {...ADDRESS_INPUT}
        {...form.register("fallbackUrl", { validate: routeRules.fallbackUrl })}
      />
      <Checkbox label="Active" {...form.register("active")} />
      <PublicUrl form={form} domains={domains} />
    </Sheet>
  );
}

const ADDRESS_INPUT = { autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;

function DomainField({
  form,
  domains,
  route,
}: {
  form: UseFormReturn<RouteForm>;
  domains: readonly ListedDomain[];
  route: ListedRoute | null;
}) {
  const id = useId();
  const { value, onChange } = useController({ control: form.control, name: "domainId" }).field;
  const options = domains
    .filter(({ status }) => status === "active")
    .map((domain) => ({ value: domain.id, label: decodeDomain(domain.name) }));
  return (
    <Field id={id} label="Domain *" hint={explainDomains(value, route, options.length)}>
      <Select
        id={id}
        label="Domain *"
        className="w-full"
        options={options}
        value={value}
        placeholder="Choose a domain"
        onChange={onChange}
        onLost={() => onChange(null)}
      />
    </Field>
  );
}

function explainDomains(chosen: string | null, route: ListedRoute | null, activeCount: number): string | undefined {
  if (chosen !== null) return undefined;
  if (route) return `${decodeDomain(route.domains.name)} is inactive. Activate it first, or choose another domain.`;
  return activeCount === 0 ? "No active domains. Add or activate one on the Domains tab." : undefined;
}

function PublicUrl({ form, domains }: { form: UseFormReturn<RouteForm>; domains: readonly ListedDomain[] }) {
  const copy = useCopyUrl();
  const [domainId, slug] = useWatch({ control: form.control, name: ["domainId", "slug"] });
  const name = domains.find(({ id }) => id === domainId)?.name;
  if (!name || slug.trim() === "") return null;
  return (
    <div className="flex items-end gap-2 border-t border-line pt-4">
      <div className="min-w-0 flex-1">
        <p className="text-12 text-ink-3">Public URL</p>
        <p className="raw mt-0.5 wrap-anywhere text-ink">{publicUrl(decodeDomain(name), slug)}</p>
      </div>
      <IconButton icon={Copy} label="Copy URL" onClick={() => void copy(publicUrl(name, slug))} />
    </div>
  );
}
