/** Requests of the function connections. */
import { z } from "zod";
import { CONNECTION_LIMITS } from "./connections.ts";
import {
  faultOfAccessKey,
  faultOfBuckets,
  faultOfConnectionName,
  faultOfEndpoint,
  faultOfRegion,
  faultOfSecret,
  regionOf,
} from "./s3-fields.ts";

type FaultOf<Value> = (value: Value) => string | null;

function checked<Value>(faultOf: FaultOf<Value>): z.core.CheckFn<Value> {
  return (check) => {
    const message = faultOf(check.value);
    if (message !== null) check.issues.push({ code: "custom", input: check.value, message });
  };
}

const text = (most: number) => z.string().trim().max(most);

const id = z.uuid({ error: "The connection ID is missing or not valid." });

/** The fields of an S3 connection besides its secret. An endpoint of "" or null means Amazon S3. */
const s3Fields = z.object({
  kind: z.literal("s3", { error: "kind: must be s3" }),
  name: z.string({ error: "Enter a name." }).trim().check(checked(faultOfConnectionName)),
  endpoint: text(CONNECTION_LIMITS.endpointCharacters)
    .nullish()
    .check(checked((value) => faultOfEndpoint(value ?? ""))),
  region: text(50).nullish(),
  access_key_id: text(CONNECTION_LIMITS.keyCharacters).check(checked(faultOfAccessKey)),
  buckets: z
    .array(z.string().trim())
    .transform((names) => [...new Set(names.filter((name) => name !== ""))])
    .check(checked(faultOfBuckets))
    .default([]),
  path_style: z.boolean().default(false),
});

const secret = text(CONNECTION_LIMITS.keyCharacters).check(checked(faultOfSecret));

/** Adds the rule of two fields, and normalizes. */
function complete<Fields extends { region?: string | null | undefined; endpoint?: string | null | undefined }>(
  schema: z.ZodType<Fields>,
) {
  return schema
    .check(checked(({ region, endpoint }) => faultOfRegion(region ?? "", endpoint ?? "")))
    .transform(({ region, endpoint, ...rest }) => ({
      ...rest,
      region: regionOf(region ?? ""),
      endpoint: endpoint ? endpoint.replace(/\/+$/, "") : null,
    }));
}

/** Creates a connection. */
export const addConnectionSchema = complete(
  s3Fields.extend({ secret_access_key: secret.min(1, "Enter the secret access key.") }),
);

/**
 * Replaces all fields of a connection, except that an absent or "" secret stays. `version` is that of the fields on which
 * the change is based.
 */
export const changeConnectionSchema = complete(
  s3Fields.extend({
    id,
    version: z.int({ error: "version: must be a whole number" }),
    secret_access_key: secret.nullish(),
  }),
);

/** Tests given fields. An absent or "" secret means that of the saved connection `id`. */
export const testFieldsSchema = complete(s3Fields.extend({ id: id.nullish(), secret_access_key: secret.nullish() }));

/** Tests a saved connection. */
export const testSavedSchema = z.object({ id });

/** Deletes a connection. With `force`, also one that unfinished jobs need. */
export const removeConnectionSchema = z.object({ id, force: z.boolean().default(false) });
