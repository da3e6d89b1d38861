import {
  problemOfDestinationName,
  problemOfFolder,
  problemOfPattern,
  problemOfPlace,
} from "#contract/destinations/destination-fields.ts";
import {
  type Destination,
  type DestinationKind,
  OWN_FOLDER,
  problemOfChannels,
  type PostChannel,
  type PostMode,
} from "#contract/destinations/destinations.ts";
import type { DestinationDraft } from "../api/functions/settings/destinations.ts";
import { freeName } from "../ui/text/free-name.ts";
import { KIND_LABELS } from "./describe-place.ts";

export type DestinationForm = {
  kind: DestinationKind;
  name: string;
  /** "" for a folder, or if none is chosen. */
  connectionId: string;
  place: string;
  folder: string;
  namePattern: string;
  withManifest: boolean;
  mode: PostMode;
  channels: PostChannel[];
  enabled: boolean;
};

/** Suggests the bucket, or the kind. */
export function suggestName({ kind, place }: Pick<DestinationForm, "kind" | "place">, others: readonly Destination[]) {
  const name = (kind === "s3" && place.trim()) || KIND_LABELS[kind];
  return freeName(
    name,
    others.map((one) => one.name),
  );
}

export function toDestinationForm(
  destination: Destination | null,
  others: readonly Destination[] = [],
): DestinationForm {
  return {
    kind: destination?.kind ?? "folder",
    name: destination?.name ?? suggestName({ kind: "folder", place: OWN_FOLDER }, others),
    connectionId: destination?.connection_id ?? "",
    place: destination?.place ?? OWN_FOLDER,
    folder: destination?.folder ?? "{job}",
    namePattern: destination?.name_pattern ?? "",
    withManifest: destination?.with_manifest ?? true,
    mode: destination?.posting?.mode ?? "draft",
    channels: destination?.posting?.channels ?? [],
    enabled: destination?.enabled ?? true,
  };
}

export function toDestinationDraft(form: DestinationForm): DestinationDraft {
  return {
    kind: form.kind,
    name: form.name.trim(),
    connection_id: form.kind === "folder" ? null : form.connectionId || null,
    place: form.place.trim(),
    folder: form.folder.trim(),
    name_pattern: form.namePattern.trim() || null,
    with_manifest: form.withManifest,
    posting: form.kind === "postiz" ? { mode: form.mode, channels: form.channels } : null,
    enabled: form.enabled,
  };
}

type Rule<Value> = (value: Value, form: DestinationForm) => true | string;

export const destinationRules = {
  name: (value) => problemOfDestinationName(value.trim()) ?? true,
  connectionId: (value, { kind }) => (kind !== "folder" && value === "" ? "Choose a connection." : true),
  place: (value, { kind }) => problemOfPlace(kind, value.trim()) ?? true,
  folder: (value) => problemOfFolder(value.trim()) ?? true,
  namePattern: (value) => problemOfPattern(value.trim()) ?? true,
  channels: (value) => problemOfChannels(value) ?? true,
} satisfies { [Name in keyof DestinationForm]?: Rule<DestinationForm[Name]> };

/** Checked before a new connection is saved. */
export const FIELDS_BESIDE_CONNECTION = [
  "name",
  "place",
  "folder",
  "namePattern",
] as const satisfies readonly (keyof DestinationForm)[];
