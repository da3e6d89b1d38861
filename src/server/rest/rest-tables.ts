import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Changing } from "#operations/audit/write-audit.ts";
import { addDomain, changeDomains } from "#operations/cloak/domains/change-domains.ts";
import { addRoute, changeRoutes } from "#operations/cloak/routes/change-routes.ts";
import { countCloakChange } from "#operations/cloak/publishing/count-changes.ts";
import type { LinkSigner } from "#operations/downloads/link-signer.ts";
import { JOB_COLUMNS, LIGHT_JOBS, toJob, WHOLE_JOBS } from "#operations/jobs/read/select-jobs.ts";
import { VIDEO_COLUMNS, VIDEOS } from "#operations/jobs/read/select-videos.ts";
import { OUTPUT_COLUMNS, OUTPUTS, toOutput } from "#operations/jobs/read/to-output.ts";
import type { ColumnSources, ColumnType } from "#operations/select-columns.ts";
import { PRESET_LIMITS } from "#contract/presets/presets.ts";
import { addBrandKit } from "#operations/presets/add-brand-kit.ts";
import { addPreset, changePresets, presetSources, toPreset } from "#operations/presets/change-presets.ts";
import { changeBrandKits } from "#operations/presets/change-brand-kits.ts";
import { requireUnusedKits } from "#operations/presets/store-brand-kit.ts";
import {
  addAudioSet,
  addCaptionSet,
  changeAudioSets,
  changeCaptionSets,
  toCaptionSet,
} from "#operations/sets/change-sets.ts";

export type Row = Record<string, unknown>;
export type TableName =
  | "jobs"
  | "job_videos"
  | "job_outputs"
  | "caption_sets"
  | "audio_sets"
  | "presets"
  | "preset_versions"
  | "brand_kits"
  | "domains"
  | "routes";

/** They throw ClipmillError and write audit entries. */
type WriteVerbs = {
  columns: readonly string[];
  insert(changing: Changing, row: Row): Promise<{ id: string }>;
  update(changing: Changing, ids: string[], changes: Row): Promise<void>;
  /** Throws ClipmillError "conflict" if something needs one of the rows. */
  requireDeletable?(trx: Transaction<Tables>, ids: string[]): Promise<void>;
  /** Runs once per call that wrote something. */
  onWritten?(trx: Transaction<Tables>): Promise<void>;
};

export type RestTable = {
  name: TableName;
  columns: Record<string, ColumnType>;
  maxRows: number;
  /** By their spelling in `select`, such as `routes(count)`. */
  embeds: Record<string, RawBuilder<unknown>>;
  sources: ColumnSources;
  lightSources?: ColumnSources;
  /** Bytes of a row's long lists; null for none. */
  longBytes?: RawBuilder<number | null>;
  /** The row has at least the sources of the selected columns. */
  toWire(row: Row, links: LinkSigner): Row;
  write: WriteVerbs | null;
};

const times = { updated_at: "time", created_at: "time" } as const;
const asIs = (row: Row): Row => row;
const STORED: ColumnSources = { expressions: {}, parts: {} };

/** Queries reach only these tables, columns and embeds. */
export const TABLES: Record<TableName, RestTable> = {
  jobs: {
    name: "jobs",
    columns: JOB_COLUMNS,
    maxRows: 1_000,
    embeds: {},
    sources: WHOLE_JOBS,
    lightSources: LIGHT_JOBS,
    longBytes: sql`jobs.omitted_bytes`,
    toWire: (row, links) => toJob(row as Parameters<typeof toJob>[0], links),
    write: null,
  },
  job_videos: {
    name: "job_videos",
    columns: VIDEO_COLUMNS,
    maxRows: 10_000,
    embeds: {},
    sources: VIDEOS,
    toWire: asIs,
    write: null,
  },
  job_outputs: {
    name: "job_outputs",
    columns: OUTPUT_COLUMNS,
    maxRows: 10_000,
    embeds: {},
    sources: OUTPUTS,
    toWire: (row, links) => toOutput(row as Parameters<typeof toOutput>[0], links),
    write: null,
  },
  caption_sets: {
    name: "caption_sets",
    columns: { id: "uuid", name: "text", captions: "list", warnings: "computed", created_at: "time" },
    maxRows: 1_000,
    embeds: {},
    sources: { expressions: {}, parts: { warnings: ["captions"] } },
    toWire: (row) => (row["captions"] ? toCaptionSet(row as Parameters<typeof toCaptionSet>[0]) : row),
    write: { columns: ["name", "captions"], insert: addCaptionSet, update: changeCaptionSets },
  },
  audio_sets: {
    name: "audio_sets",
    columns: { id: "uuid", name: "text", audio_links: "list", created_at: "time" },
    maxRows: 1_000,
    embeds: {},
    sources: STORED,
    toWire: asIs,
    write: { columns: ["name", "audio_links"], insert: addAudioSet, update: changeAudioSets },
  },
  presets: {
    name: "presets",
    columns: {
      id: "uuid",
      name: "text",
      settings: "computed",
      ignored_settings: "computed",
      version: "integer",
      brand_kit_id: "uuid",
      is_default: "boolean",
      ...times,
    },
    maxRows: PRESET_LIMITS.presets,
    embeds: {},
    sources: presetSources("presets"),
    toWire: toPreset,
    write: {
      // In a change, `version` is the one it is based on.
      columns: ["name", "settings", "brand_kit_id", "is_default", "version"],
      insert: addPreset,
      update: changePresets,
    },
  },
  preset_versions: {
    name: "preset_versions",
    columns: {
      id: "uuid",
      preset_id: "uuid",
      version: "integer",
      settings: "computed",
      ignored_settings: "computed",
      brand_kit_id: "uuid",
      created_at: "time",
    },
    maxRows: 1_000,
    embeds: {},
    sources: presetSources("preset_versions"),
    toWire: toPreset,
    write: null,
  },
  brand_kits: {
    name: "brand_kits",
    columns: { id: "uuid", name: "text", settings: "computed", version: "integer", ...times },
    maxRows: PRESET_LIMITS.brandKits,
    embeds: {},
    sources: STORED,
    toWire: asIs,
    write: {
      columns: ["name", "settings", "version"],
      insert: addBrandKit,
      update: changeBrandKits,
      requireDeletable: requireUnusedKits,
    },
  },
  domains: {
    name: "domains",
    columns: { id: "uuid", name: "text", notes: "text", status: "text", created_at: "time" },
    maxRows: 10_000,
    embeds: {
      "routes(count)": sql`(select json_build_array(json_build_object('count', count(*)))
          from routes where routes.domain_id = domains.id)`,
    },
    sources: STORED,
    toWire: asIs,
    write: {
      columns: ["name", "notes", "status"],
      insert: addDomain,
      update: changeDomains,
      onWritten: countCloakChange,
    },
  },
  routes: {
    name: "routes",
    columns: {
      id: "uuid",
      domain_id: "uuid",
      slug: "text",
      primary_url: "text",
      fallback_url: "text",
      active: "boolean",
      created_at: "time",
    },
    maxRows: 10_000,
    embeds: {
      "domains(name)": sql`(select json_build_object('name', domains.name) from domains where domains.id = routes.domain_id)`,
    },
    sources: STORED,
    toWire: asIs,
    write: {
      columns: ["domain_id", "slug", "primary_url", "fallback_url", "active"],
      insert: addRoute,
      update: changeRoutes,
      onWritten: countCloakChange,
    },
  },
};

export function findTable(name: string): RestTable | null {
  return Object.hasOwn(TABLES, name) ? TABLES[name as TableName] : null;
}
