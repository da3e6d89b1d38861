import { paths } from "./paths.ts";

/** The tabs of Settings, each with its sections by hash. `words` are other words that the palette finds it by. */
export const SETTINGS_TABS = [
  {
    label: "General",
    to: paths.settingsGeneral,
    sections: [
      { hash: "api-keys", title: "API Keys", words: "google drive openai" },
      { hash: "models", title: "Models", words: "openai server address transcription subtitles speech whisper" },
      { hash: "names", title: "Names", words: "dictionary transcripts captions spelling" },
      { hash: "defaults", title: "Default Processing Options", words: "variants audio mode volume gain" },
      { hash: "glossary", title: "Glossary", words: "languages translations captions terms brand" },
      { hash: "finished-files", title: "Finished Files", words: "retention keep days delete" },
    ],
  },
  {
    label: "Sources and delivery",
    to: paths.settingsSources,
    sections: [
      { hash: "sources", title: "Sources", words: "links hosts yt-dlp web addresses prefetch" },
      { hash: "connections", title: "Connections", words: "s3 dropbox google drive sftp postiz" },
      { hash: "destinations", title: "Destinations", words: "delivery folder bucket s3 sftp postiz" },
    ],
  },
  {
    label: "Account",
    to: paths.settingsAccount,
    sections: [{ hash: "account", title: "Account", words: "second step two-factor sessions email" }],
  },
  {
    label: "Automation",
    to: paths.settingsAutomation,
    sections: [
      { hash: "api-tokens", title: "API Tokens", words: "scopes programs" },
      { hash: "webhooks", title: "Webhooks", words: "events notifications" },
      { hash: "embedded-pages", title: "Embedded Pages", words: "batch scheduler warmup robot address" },
    ],
  },
  {
    label: "System",
    to: paths.settingsSystem,
    sections: [
      { hash: "system", title: "System", words: "workers queue version" },
      { hash: "audit-log", title: "Audit Log", words: "activity history" },
    ],
  },
] as const;

export const SETTINGS_SECTIONS = SETTINGS_TABS.flatMap(({ label, to, sections }) =>
  sections.map((section) => ({ ...section, tab: label, to })),
);

export type SectionHash = (typeof SETTINGS_SECTIONS)[number]["hash"];

/** Hashes that open a dialog or sheet of a section. */
const ACTIONS = {
  password: "account",
  "new-connection": "connections",
  "new-destination": "destinations",
} as const satisfies Record<string, SectionHash>;

export type SectionAction = keyof typeof ACTIONS;

/** Returns the section that the hash names or acts on. */
export function sectionOf(hash: string): (typeof SETTINGS_SECTIONS)[number] | undefined {
  const wanted = Object.hasOwn(ACTIONS, hash) ? ACTIONS[hash as SectionAction] : hash;
  return SETTINGS_SECTIONS.find((section) => section.hash === wanted);
}

/** Returns the properties of a link to it; to the first tab for an unknown hash. */
export function sectionLink(hash: string) {
  const section = sectionOf(hash);
  return section ? { to: section.to, hash } : { to: SETTINGS_TABS[0].to };
}
