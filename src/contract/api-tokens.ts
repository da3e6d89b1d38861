import { z } from "zod";
import { component } from "./component.ts";
import { LABELS_RULE, parseWorkerLabels } from "./jobs/worker-labels.ts";

/** Scopes of programs that call the API. */
export const TOKEN_SCOPES = ["jobs:read", "jobs:write", "sets", "library", "cloak", "settings", "admin"] as const;

/** Scope of workers without the database. Excludes all other scopes. */
export const WORKER_SCOPE = "worker";

export type ApiScope = (typeof TOKEN_SCOPES)[number];
export type TokenScope = ApiScope | typeof WORKER_SCOPE;

const scopeSchema = z.enum([...TOKEN_SCOPES, WORKER_SCOPE]);

/** Distinguishes tokens from sessions' access tokens, and lets scanners find leaked ones. */
export const TOKEN_PREFIX = "clm_";

const proof = z.string().max(1_000).nullish();

const workerLabelsSchema = z.array(z.string().max(100)).transform((texts, context) => {
  const labels = parseWorkerLabels(texts.join(","));
  if (labels) return labels;
  context.addIssue({ code: "custom", message: `Labels: enter ${LABELS_RULE}.` });
  return z.NEVER;
});

/** What makes a token valid, besides its name and scopes. Sessions older than 15 minutes need a proof. */
const tokenTerms = {
  expires_at: z.iso.datetime({ offset: true }).nullish().describe("Null: never."),
  current_password: proof,
  nonce: proof.describe("The code that GET /auth/v1/reauthenticate sends by email."),
};

/** Scopes of an assistant's token. */
export const assistantTokenFields = {
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1, "Select at least one permission."),
  ...tokenTerms,
};

/** Without `expires_at`, a token never expires. */
export const createTokenSchema = z
  .object({
    name: z.string().trim().min(1, "Enter a name for the token.").max(100, "The name can have at most 100 characters."),
    scopes: z.array(scopeSchema).min(1, "Select at least one permission."),
    worker_labels: workerLabelsSchema
      .nullish()
      .describe(
        "For the scope `worker`: its workers get only jobs that require at least one of these labels and no others.",
      ),
    ...tokenTerms,
  })
  .superRefine(({ scopes, worker_labels: labels }, context) => {
    const isForWorkers = scopes.includes(WORKER_SCOPE);
    const fail = (message: string): void => context.addIssue({ code: "custom", message });
    if (isForWorkers && scopes.length > 1) fail("A worker token can't have other permissions.");
    if (isForWorkers && !labels?.length) fail("Enter at least one label for the workers.");
    if (!isForWorkers && labels?.length) fail("Only worker tokens can have labels.");
  });

export const revokeTokenSchema = z.object({
  id: z.uuid({ error: "The token ID is missing or not valid." }),
  revoke: z.literal(true),
});

export const ApiToken = component("ApiToken", "Omits the secret. Times are ISO 8601; null means never.", () => ({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  worker_labels: z.array(z.string()).nullable().describe("Only for worker tokens. Sorted."),
  last4: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable().describe("Rounded to the minute."),
}));
export type ApiToken = z.infer<typeof ApiToken>;

export const CreateTokenResponse = component(
  "CreateTokenResponse",
  "`token` is the secret, returned only once.",
  () => ({
    data: ApiToken,
    token: z.string(),
  }),
);
export type CreateTokenResponse = z.infer<typeof CreateTokenResponse>;

export const ListTokensResponse = component("ListTokensResponse", "Newest first.", () => ({ data: z.array(ApiToken) }));
export type ListTokensResponse = z.infer<typeof ListTokensResponse>;
