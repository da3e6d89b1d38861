import { Plus } from "lucide-react";
import { useState } from "react";
import type { BrandKit, Preset } from "#contract/presets/presets.ts";
import { useBrandKits } from "../../../presets/use-presets.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { ListSkeleton } from "../list-skeleton.tsx";
import { BrandKitRow } from "./brand-kit-row.tsx";
import { BrandKitSheet } from "./brand-kit-sheet.tsx";

/** `presets` is undefined while loading. */
export function BrandKitsSection({ presets }: { presets: readonly Preset[] | undefined }) {
  const kits = useBrandKits();
  const [opened, setOpened] = useState<BrandKit | "new" | null>(null);
  const { data } = kits;
  return (
    <section aria-labelledby="brand-kits" className="border-t border-line">
      <div className="flex items-center gap-3 px-6 pt-5 pb-2 max-desk:px-4">
        <div className="min-w-0 flex-1">
          <h2 id="brand-kits" className="text-16">
            Brand kits
          </h2>
          <p className="text-ink-3">
            Logo, watermark text, colors and fonts. Changes apply to every preset that uses the kit.
          </p>
        </div>
        {data && data.length > 0 && (
          <Button icon={Plus} onClick={() => setOpened("new")}>
            New brand kit
          </Button>
        )}
      </div>
      {kits.isLoadingError && (
        <ErrorState
          title="Couldn't load the brand kits"
          text={kits.error.message}
          isRetrying={kits.isFetching}
          onRetry={() => void kits.refetch()}
        />
      )}
      {kits.isPending && <ListSkeleton />}
      {data?.length === 0 && (
        <EmptyState
          title="No brand kits yet"
          text="Add one, then choose it when you edit a preset."
          action={
            <Button icon={Plus} onClick={() => setOpened("new")}>
              New brand kit
            </Button>
          }
        />
      )}
      {data && data.length > 0 && (
        <ul aria-label="Brand kits" className="grid px-6 pb-4 max-desk:px-4">
          {data.map((kit) => (
            <BrandKitRow
              key={kit.id}
              kit={kit}
              users={presets?.filter((preset) => preset.brand_kit_id === kit.id).length ?? 0}
              onEdit={() => setOpened(kit)}
            />
          ))}
        </ul>
      )}
      <BrandKitSheet opened={opened} onClose={() => setOpened(null)} />
    </section>
  );
}
