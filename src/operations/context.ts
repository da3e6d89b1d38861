import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { OpenAiService } from "#integrations/openai/openai.ts";
import type { Queue } from "#queue/open-queue.ts";
import type { Storage } from "#storage/storage.ts";
import type { ModelSettings } from "#contract/settings/models.ts";
import type { SourceBaseUrls } from "#contract/sources/source-host.ts";
import type { FactsMemory } from "./sources/describe-source.ts";
import type { LinkSigner } from "./downloads/link-signer.ts";
import type { SecretBox } from "./settings/secret-box.ts";

export type HostSettings = {
  baseUrls: SourceBaseUrls;
  /** Non-public addresses, as `host:port`, from which files may be fetched. */
  privateSources: readonly string[];
  /** Null to search PATH. */
  ytDlpPath: string | null;
  /** From the environment, which overrides Settings. */
  models: ModelSettings;
};

export type Context = {
  db: Kysely<Tables>;
  queue: Queue;
  storage: Storage;
  links: LinkSigner;
  secrets: SecretBox;
  openAi: OpenAiService;
  hosts: HostSettings;
  sourceFacts: FactsMemory;
  /** Non-public addresses of webhooks, as `host:port`. */
  privateWebhooks: readonly string[];
  /** Absolute paths by name. */
  deliveryFolders: Readonly<Record<string, string>>;
};
