import type { TokenScope } from "#contract/api-tokens.ts";
import type { HttpBindings } from "@hono/node-server";
import type { CostLimits } from "#contract/jobs/jobs.ts";
import type { EmbeddedPages } from "#contract/calls.ts";
import type { SystemResponse } from "#contract/settings/system.ts";
import type { Tracing } from "#ground/tracing/tracing.ts";
import type { AccountsContext, Account } from "#operations/accounts/account.ts";
import type { OpenIdSignIn } from "#operations/accounts/openid/open-id-sign-in.ts";
import type { CaptionMeasure } from "#operations/captions/check-captions.ts";
import type { RedirectorSettings } from "#operations/cloak/publishing/publish-config.ts";
import type { Context } from "#operations/context.ts";
import type { ClientIds } from "#operations/oauth/client-ids.ts";
import type { Attempt } from "#operations/idempotency/claim-key.ts";
import type { PrefetchSources, Preflight } from "#operations/sources/prepare-sources.ts";
import type { DrawPreview } from "#operations/previews/draw-preview.ts";
import type { MeasureSilences } from "#operations/previews/measure-silences.ts";
import type { LocalRoots } from "#operations/watch-folders/local/local-folders.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";
import type { FileAddresses } from "#storage/storage.ts";
import type { TokenWorker } from "#operations/workers/token-claims.ts";
import type { AccessTokens } from "./auth/sessions/access-token.ts";
import type { StartSigner } from "./auth/sessions/start-signer.ts";
import type { CountRequest } from "./auth/token-limit.ts";
import type { IsKnownProxy } from "#http/connection-ledger.ts";
import type { Metrics } from "./health/metrics.ts";

export type ServerContext = Context &
  AccountsContext & {
    accessTokens: AccessTokens;
    /** Of assistants. */
    clientIds: ClientIds;
    /** Null without a provider. */
    openId: OpenIdSignIn | null;
    signInStarts: StartSigner;
    /** Browsers share cookies between a host's ports. */
    cookieName: string;
    uploads: UploadIntake;
    localRoots: LocalRoots;
    captionMeasure: CaptionMeasure;
    drawPreview: DrawPreview | null;
    measureSilences: MeasureSilences | null;
    /** Null without a worker in the same process. */
    prefetchSources: PrefetchSources | null;
    preflight: Preflight | null;
    /** From the environment; they override saved ones. */
    embeddedPages: EmbeddedPages;
    /** Besides the origin a request used. */
    ownOrigins: readonly string[];
    /** Besides this machine's own. */
    trustedProxies: string[];
    redirector: RedirectorSettings;
    /** For videos of workers without the database. */
    costLimits: CostLimits;
    metrics: Metrics;
    /** Null streams files through the server. */
    fileAddresses: FileAddresses | null;
    kinds: Pick<SystemResponse, "database" | "storage">;
    /** Returns null if not monitored. */
    readDisk: () => string | null;
    /** Null if traces are off. */
    tracing: Tracing | null;
  };

export type Operator = { account: Account; sessionId: string; scopes?: readonly TokenScope[] };

export type ServerEnv = {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    isKnownProxy: IsKnownProxy;
    countRequest: CountRequest;
    operator: Operator;
    /** Only of requests below /worker/v1. */
    worker: TokenWorker;
    attempt?: Attempt;
    /** For an API token whose scope depends on the rows that it writes. Throws ClipmillError "forbidden". */
    checkRow?: (row: unknown) => void;
  };
};
