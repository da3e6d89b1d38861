import { type SettingsResponse, RIGHTS } from "#contract/settings/settings.ts";
import { videoSiteLinks } from "#contract/sources/hosts/video-sites.ts";
import { linkHostOf, OPTIONAL_HOSTS } from "#contract/sources/link-hosts.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { SwitchRow } from "../../../ui/fields/switch-row.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { toSourceHosts, toSourcesForm } from "./sources-form.ts";

/** Hosts that are off in a fresh installation, and prefetching. */
export function SourcesSection({ settings }: { settings: SettingsResponse }) {
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm(settings, {
    toForm: (from) => ({ ...toSourcesForm(from), isPrefetching: from.prefetch_sources, hasRights: false }),
    toChange: (typed, edited) => ({
      source_hosts: toSourceHosts(typed, edited, settings),
      ...(typed.hasRights && { confirms_rights: true }),
      ...(edited.has("isPrefetching") && { prefetch_sources: typed.isPrefetching }),
    }),
    saved: { title: "Setting Saved", description: "Applies immediately." },
    failed: "Couldn't save the sources",
    showsServerMessage: true,
  });
  const { name: sites } = videoSiteLinks;
  const turnsOnSites = form.watch(sites) === true && !settings.source_hosts.includes(sites);
  return (
    <SettingsSection
      hash="sources"
      text="Where jobs may fetch videos and music from, besides Google Drive, Instagram and the library. Turn on only what you use."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      <ul className="grid gap-4">
        {OPTIONAL_HOSTS.map((name) => {
          const { label, settingsText = `Files shared with ${label} links.` } = linkHostOf(name);
          return (
            <li key={name}>
              <SwitchRow {...form.register(name)} label={label} text={settingsText}>
                {name === sites && turnsOnSites && <Checkbox label={RIGHTS} {...form.register("hasRights")} />}
              </SwitchRow>
            </li>
          );
        })}
        <li>
          <SwitchRow
            {...form.register("isPrefetching")}
            label="Fetch videos in advance"
            text="Workers download the next videos while they encode the current ones. Videos that you add to Create Jobs are downloaded before you start the job."
          />
        </li>
      </ul>
      {settings.private_sources.length > 0 && (
        <p className="text-12 text-ink-3">
          ALLOW_PRIVATE_SOURCES also allows files from{" "}
          <span className="raw wrap-anywhere text-ink-2">{settings.private_sources.join(", ")}</span>.
        </p>
      )}
      <div>
        <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
          Save sources
        </Button>
      </div>
    </SettingsSection>
  );
}
