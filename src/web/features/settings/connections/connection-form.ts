import type { Connection } from "#contract/connections/connections.ts";
import {
  faultOfAccessKey,
  faultOfBuckets,
  faultOfConnectionName,
  faultOfEndpoint,
  faultOfRegion,
  faultOfSecret,
} from "#contract/connections/s3-fields.ts";
import type { ConnectionDraft } from "../../../api/functions/connections.ts";

/** What is typed. */
export type ConnectionForm = {
  name: string;
  endpoint: string;
  region: string;
  accessKeyId: string;
  secret: string;
  /** One per line. */
  buckets: string;
  pathStyle: boolean;
};

/** Never contains the secret. */
export function toConnectionForm(connection: Connection | null): ConnectionForm {
  return {
    name: connection?.name ?? "",
    endpoint: connection?.endpoint ?? "",
    region: connection?.region ?? "",
    accessKeyId: connection?.access_key_id ?? "",
    secret: "",
    buckets: connection?.buckets.join("\n") ?? "",
    pathStyle: connection?.path_style ?? false,
  };
}

export function toConnectionDraft(form: ConnectionForm): ConnectionDraft {
  return {
    kind: "s3",
    name: form.name.trim(),
    endpoint: form.endpoint.trim() || null,
    region: form.region.trim(),
    access_key_id: form.accessKeyId.trim(),
    secret_access_key: form.secret.trim(),
    buckets: splitBuckets(form.buckets),
    path_style: form.pathStyle,
  };
}

type Rule = (value: string, form: ConnectionForm) => true | string;

/** The server's rules. */
export const connectionRules = {
  name: (value) => faultOfConnectionName(value.trim()) ?? true,
  endpoint: (value) => faultOfEndpoint(value.trim()) ?? true,
  region: (value, form) => faultOfRegion(value.trim(), form.endpoint.trim()) ?? true,
  accessKeyId: (value) => faultOfAccessKey(value.trim()) ?? true,
  buckets: (value) => faultOfBuckets(splitBuckets(value)) ?? true,
} satisfies Record<string, Rule>;

/** `isSaved` is true if an empty field keeps the saved secret. */
export function checkSecret(value: string, isSaved: boolean): true | string {
  if (value.trim() === "" && !isSaved) return "Enter the secret access key.";
  return faultOfSecret(value.trim()) ?? true;
}

/** Splits at line breaks, commas and spaces, which no bucket's name contains. */
function splitBuckets(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== "");
}
