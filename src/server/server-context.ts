import type { HttpBindings } from "@hono/node-server";
import type { EmbeddedPages } from "#contract/calls.ts";
import type { SystemResponse } from "#contract/settings/system.ts";
import type { AccountsContext } from "#operations/accounts/accounts-context.ts";
import type { Account } from "#operations/accounts/account.ts";
import type { CaptionMeasure } from "#operations/captions/check-captions.ts";
import type { RedirectorSettings } from "#operations/cloak/publishing/redirector-settings.ts";
import type { Context } from "#operations/context.ts";
import type { DrawPreview } from "#operations/previews/draw-preview.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";
import type { FileAddresses } from "#storage/storage.ts";
import type { AccessTokens } from "./auth/sessions/access-token.ts";
import type { IsKnownProxy } from "#http/client-address.ts";
import type { Metrics } from "./health/metrics.ts";

/** What the routes work with. Made once, by start-server. */
export type ServerContext = Context &
  AccountsContext & {
    accessTokens: AccessTokens;
    /** Name of the cookie with the refresh token: browsers share cookies between the ports of a host. */
    cookieName: string;
    uploads: UploadIntake;
    captionMeasure: CaptionMeasure;
    /** Null where no worker runs beside the server. */
    drawPreview: DrawPreview | null;
    /** Set by the environment; they override saved ones. */
    embeddedPages: EmbeddedPages;
    /** Clipmill's own addresses, in addition to the one that a request used. */
    ownOrigins: readonly string[];
    /** Addresses and networks of proxies besides those on this machine. */
    trustedProxies: string[];
    redirector: RedirectorSettings;
    metrics: Metrics;
    /** Where single files are downloaded from; null when through us. */
    fileAddresses: FileAddresses | null;
    /** What database and storage there are. */
    kinds: Pick<SystemResponse, "database" | "storage">;
    /** How full the disk is; null where nobody looks. */
    readDisk: () => string | null;
    /** Where a Google Drive key is tested. */
    googleApiBaseUrl: string;
  };

/** Who asks: the account, and the session of the token that came with the request. */
type Operator = { account: Account; sessionId: string };

export type ServerEnv = {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    isKnownProxy: IsKnownProxy;
    operator: Operator;
  };
};
