import type { UseFormReturn } from "react-hook-form";
import type { Connection } from "#contract/connections/connections.ts";
import { Switch } from "../../../ui/fields/switch.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { checkSecret, type ConnectionForm, connectionRules } from "./connection-form.ts";
import { describeKey } from "./describe-connection.ts";

const RAW = { autoCapitalize: "none", autoComplete: "off", spellCheck: false, className: "raw" } as const;

export function ConnectionFields({
  form,
  connection,
}: {
  form: UseFormReturn<ConnectionForm>;
  connection: Connection | null;
}) {
  const { errors } = form.formState;
  const isSaved = connection !== null && !connection.needs_secret;
  return (
    <>
      <TextField
        {...form.register("name", { validate: connectionRules.name })}
        label="Name"
        autoComplete="off"
        error={errors.name?.message}
      />
      <TextField
        {...RAW}
        {...form.register("endpoint", { validate: connectionRules.endpoint, deps: ["region"] })}
        label="Endpoint"
        inputMode="url"
        placeholder="https://"
        hint="Leave empty for Amazon S3."
        error={errors.endpoint?.message}
      />
      <TextField
        {...RAW}
        {...form.register("region", { validate: connectionRules.region })}
        label="Region"
        hint="Such as us-east-1. Optional with an endpoint."
        error={errors.region?.message}
      />
      <TextField
        {...RAW}
        {...form.register("accessKeyId", { validate: connectionRules.accessKeyId })}
        label="Access key ID"
        error={errors.accessKeyId?.message}
      />
      <TextField
        {...RAW}
        {...form.register("secret", { validate: (value) => checkSecret(value, isSaved) })}
        label="Secret access key"
        type="password"
        autoComplete="new-password"
        placeholder={isSaved ? "Enter a new secret to replace it" : undefined}
        hint={isSaved ? describeKey(connection) : "Stored encrypted and never shown again."}
        error={errors.secret?.message}
      />
      <TextAreaField
        {...form.register("buckets", { validate: connectionRules.buckets })}
        label="Buckets"
        rows={2}
        className="raw"
        autoCapitalize="none"
        hint="One per line. Leave empty for all buckets that no other connection lists."
        error={errors.buckets?.message}
      />
      <div className="grid gap-1.5">
        <Switch label="Path-style addresses" {...form.register("pathStyle")} />
        <p className="text-12 text-ink-3">Most stores other than Amazon S3, such as MinIO, need this.</p>
      </div>
    </>
  );
}
