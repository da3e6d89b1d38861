/** A company's OpenID provider: the certified library with two pages of its own, and people without passwords. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import { createOpenIdProvider } from "#integrations/open-id-provider.ts";
import type { OpenIdSettings, OpenIdSignIn } from "#operations/accounts/openid/open-id-sign-in.ts";
import { OPENID_PATHS } from "#contract/accounts/sign-in.ts";
import { startNodeTwin, type NodeTwin } from "./node-twin.ts";

export type Person = { email?: string; email_verified?: boolean; groups?: string[] };

export type OpenIdTwin = Pick<NodeTwin, "faults" | "calls"> & {
  issuer: string;
  /** By subject. */
  people: Map<string, Person>;
  /** Who sits at the browser: the provider asks nothing. Null shows its form; "nobody" denies. */
  visitor: string | null;
  /** Accepts a Clipmill at this address. */
  accept(origin: string): void;
  rotateKeys(): void;
  expireCode(code: string): void;
  /** For `startTestServer`. */
  openId(changes?: Partial<OpenIdSettings>): OpenIdSignIn;
  close(): Promise<void>;
};

const CLIENT = { id: "clipmill", secret: "the secret of a client" };
const NOBODY = "nobody";

export async function startOpenIdTwin(): Promise<OpenIdTwin> {
  const people = new Map<string, Person>();
  const stored: Stored = new Map();
  let origins: string[] = [];
  let keys = newKeys();
  let provider: Provider;
  let handle: ReturnType<Provider["callback"]>;

  const http = await startNodeTwin(async (request, response) => {
    if (request.url?.startsWith("/interaction/")) await interact(request, response);
    else await handle(request, response);
  });

  function open(): void {
    provider = new Provider(http.url, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: origins.map((origin) => origin + OPENID_PATHS.callback),
          post_logout_redirect_uris: origins.map((origin) => `${origin}/`),
        },
      ],
      jwks: { keys },
      adapter: (model: string) => createAdapter(model, stored),
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
      cookies: { keys: ["a key of the twin"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
      scopes: ["openid", "email", "profile", "groups"],
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource(context: { body: unknown }, form: string) {
            context.body = toPage(`${form}<button form="op.logoutForm" name="logout" value="yes">Sign me out</button>`);
          },
        },
      },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...people.get(sub) }),
      }),
      // Nobody is asked for consent: the company's own application.
      async loadExistingGrant({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
        const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope("openid email profile groups");
        await grant.save();
        return grant;
      },
      renderError(context: { body: unknown }, out: unknown) {
        context.body = out;
      },
    });
    handle = provider.callback();
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const typed = request.method === "POST" ? new URLSearchParams(await readText(request)).get("login") : null;
    const accountId = twin.visitor ?? typed;
    if (accountId === NOBODY) return provider.interactionFinished(request, response, { error: "access_denied" });
    if (accountId) return provider.interactionFinished(request, response, { login: { accountId } });
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      toPage(`<form method="post"><label>User <input name="login"></label><button>Continue</button></form>`),
    );
  }

  const twin: OpenIdTwin = {
    issuer: http.url,
    people,
    visitor: null,
    faults: http.faults,
    calls: http.calls,
    accept(origin) {
      origins = [...origins, origin];
      open();
    },
    rotateKeys() {
      keys = newKeys();
      open();
    },
    expireCode(code) {
      stored.get(`AuthorizationCode ${code}`)!.exp = 1;
    },
    openId(changes = {}) {
      const settings: OpenIdSettings = {
        issuer: http.url,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        scopes: "openid email profile groups",
        name: "Acme",
        rules: { domains: ["acme.test"], groups: [], groupsClaim: "groups", trustsEmails: false },
        ...changes,
      };
      return { name: settings.name, rules: settings.rules, provider: createOpenIdProvider(settings, 1) };
    },
    close: () => http.close(),
  };
  open();
  return twin;
}

type Stored = Map<string, Record<string, unknown>>;

/** The library's own says on the console that it is only for development. */
function createAdapter(model: string, stored: Stored) {
  const find = (id: string) => Promise.resolve(stored.get(`${model} ${id}`));
  const findBy = (field: string) => (value: string) => {
    const found = [...stored].find(([key, payload]) => key.startsWith(model) && payload[field] === value);
    return Promise.resolve(found?.[1]);
  };
  return {
    find,
    findByUid: findBy("uid"),
    findByUserCode: findBy("userCode"),
    async upsert(id: string, payload: Record<string, unknown>) {
      stored.set(`${model} ${id}`, payload);
    },
    async consume(id: string) {
      (await find(id))!.consumed = true;
    },
    async destroy(id: string) {
      stored.delete(`${model} ${id}`);
    },
    async revokeByGrantId(grantId: string) {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    },
  };
}

function toPage(content: string): string {
  return `<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,">${content}`;
}

function newKeys(): object[] {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return [{ ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" }];
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
