import { createHash } from "node:crypto";
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import type { SecretOf, SftpSettings } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import { openGuardedSocket } from "#ground/public-address.ts";
import { authorityOfServer, explainConnectError, explainSftpError, sftpErrors } from "./sftp-errors.ts";

const READY_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 1_000;
const KEEPALIVE_MS = 10_000;
const MAX_MISSED_KEEPALIVES = 3;

export type SftpCredentials = { name: string; settings: SftpSettings; secret: SecretOf["sftp"] };

export type SftpAccess = {
  signal: AbortSignal;
  /** Allowed private addresses, as `host:port`. */
  privateSources: readonly string[];
};

export type SftpSession = {
  sftp: SFTPWrapper;
  /** Throws ClipmillError, also when the connection is lost. */
  call<Result = void>(
    start: (done: (error: Error | null | undefined, result: Result) => void) => void,
  ): Promise<Result>;
  explain(error: unknown): ClipmillError;
  close(): Promise<void>;
};

/** A server with another host key receives no data. Throws ClipmillError: bad_key, network and cancelled. */
export async function connectSftp(credentials: SftpCredentials, access: SftpAccess): Promise<SftpSession> {
  const { name, settings } = credentials;
  const server = { name, host: settings.host, port: settings.port };
  const { signal } = access;
  if (signal.aborted) throw explainAbort();
  const keys = readKeys(credentials);
  const client: Client = new ssh2.Client();
  const lost = Promise.withResolvers<never>();
  // Possibly nobody awaits it.
  lost.promise.catch(() => {});
  let rejection: ClipmillError | null = null;
  const isTrusted = access.privateSources.includes(authorityOfServer(server));
  const socket = openGuardedSocket({ host: settings.host, port: settings.port, isTrusted });
  const stop = () => lost.reject(explainAbort());
  signal.addEventListener("abort", stop, { once: true });
  lost.promise.catch(() => {
    client.destroy();
    socket.destroy();
  });
  const ready = new Promise<void>((resolve, reject) => {
    client.once("ready", resolve);
    client.on("error", (error) => {
      const explained = rejection ?? explainConnectError(error, server, settings.sign_in);
      reject(explained);
      lost.reject(explained);
    });
    client.once("close", () => {
      reject(rejection ?? sftpErrors.cut(server));
      lost.reject(rejection ?? sftpErrors.cut(server));
    });
    socket.once("error", (error) => {
      reject(explainConnectError(error, server, settings.sign_in));
    });
    // Keyboard-interactive servers prompt for the same password.
    client.on("keyboard-interactive", (_name, _text, _language, prompts, finish) =>
      finish(prompts.map(() => keys.password ?? "")),
    );
    client.connect({
      sock: socket,
      username: settings.username,
      ...keys,
      tryKeyboard: keys.password !== undefined,
      readyTimeout: READY_TIMEOUT_MS,
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: MAX_MISSED_KEEPALIVES,
      hostVerifier: (hostKey: Buffer) => {
        const fingerprint = fingerprintOf(hostKey);
        if (fingerprint === settings.host_key_fingerprint) return true;
        rejection =
          settings.host_key_fingerprint === ""
            ? sftpErrors.newHostKey(server, fingerprint)
            : sftpErrors.otherHostKey(server, fingerprint);
        return false;
      },
    });
  });
  async function close(): Promise<void> {
    signal.removeEventListener("abort", stop);
    if (socket.destroyed) return;
    const closed = new Promise((resolve) => void socket.once("close", resolve));
    client.end();
    // A server that has stopped reading must not delay the close.
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    socket.destroySoon();
    await closed;
  }
  try {
    await Promise.race([ready, lost.promise]);
    const sftp = await Promise.race([openSubsystem(client, server), lost.promise]);
    return {
      sftp,
      close,
      explain: (error) => explainSftpError(error, server),
      async call<Result>(start: (done: (error: Error | null | undefined, result: Result) => void) => void) {
        const replied = new Promise<Result>((resolve, reject) => {
          start((error, result) => (error ? reject(explainSftpError(error, server)) : resolve(result)));
        });
        try {
          return await Promise.race([replied, lost.promise]);
        } catch (error) {
          replied.catch(() => {});
          // Requests in flight may fail before the loss of the connection is detected.
          if (signal.aborted) throw explainAbort();
          throw socket.destroyed && !(error instanceof ClipmillError && error.code !== "network")
            ? sftpErrors.cut(server)
            : explainSftpError(error, server);
        }
      },
    };
  } catch (error) {
    ready.catch(() => {});
    client.destroy();
    socket.destroy();
    signal.removeEventListener("abort", stop);
    throw error;
  }
}

function openSubsystem(client: Client, server: Parameters<typeof sftpErrors.noSftp>[0]): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => {
      if (error) reject(sftpErrors.noSftp(server));
      else resolve(sftp);
    });
  });
}

function readKeys({
  name,
  settings,
  secret,
}: SftpCredentials): Pick<ConnectConfig, "password" | "privateKey" | "passphrase"> {
  if (settings.sign_in === "password") return { password: secret.password ?? "" };
  const server = { name, host: settings.host, port: settings.port };
  const parsed = ssh2.utils.parseKey(secret.private_key ?? "", secret.passphrase);
  if (!(parsed instanceof Error)) {
    return { privateKey: secret.private_key ?? "", ...(secret.passphrase && { passphrase: secret.passphrase }) };
  }
  if (/no passphrase/i.test(parsed.message)) throw sftpErrors.badPassphrase(server, true);
  if (secret.passphrase && /passphrase|decrypt|integrity/i.test(parsed.message)) {
    throw sftpErrors.badPassphrase(server, false);
  }
  throw sftpErrors.badKey(server);
}

const explainAbort = () => new ClipmillError("cancelled", "The transfer was canceled.");

/** Formats like ssh-keygen -l: SHA-256 in Base64 without padding. */
export function fingerprintOf(hostKey: Buffer): string {
  return `SHA256:${createHash("sha256").update(hostKey).digest("base64").replace(/=+$/, "")}`;
}
