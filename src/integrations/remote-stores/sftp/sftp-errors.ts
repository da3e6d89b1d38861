import { ClipmillError } from "#contract/errors.ts";
import { codeOf } from "#ground/error-code.ts";
import { ForbiddenAddressError } from "#ground/public-address.ts";

/** draft-ietf-secsh-filexfer-02, section 7, as implemented by OpenSSH. */
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const FULL = /no space|quota|disk full/i;

export type SftpServer = { name: string; host: string; port: number };

export function authorityOfServer({ host, port }: SftpServer): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export const sftpErrors = {
  newHostKey: ({ host }: SftpServer, fingerprint: string) =>
    new ClipmillError(
      "bad_key",
      `${host} has the host key ${fingerprint}. Compare it with the server's own, then accept it.`,
      { facts: { fingerprint } },
    ),
  otherHostKey: ({ name, host }: SftpServer, fingerprint: string) =>
    new ClipmillError(
      "bad_key",
      `${host} now has the host key ${fingerprint}, so nothing was sent. If its key was really replaced, accept the new one in the connection "${name}".`,
      { facts: { fingerprint } },
    ),
  signIn: ({ name, host }: SftpServer, way: "password" | "private_key") =>
    new ClipmillError(
      "bad_key",
      `${host} rejected the ${way === "password" ? "user or password" : "user or private key"}. Correct the connection "${name}" in Settings.`,
    ),
  noSftp: ({ host }: SftpServer) =>
    new ClipmillError("bad_key", `${host} accepts the sign-in but does not offer SFTP to this user. Turn it on there.`),
  privateAddress: (server: SftpServer) =>
    new ClipmillError(
      "bad_key",
      `The host of the connection "${server.name}" is on a private network. Add ${authorityOfServer(server)} to ALLOW_PRIVATE_SOURCES on the server to allow it.`,
    ),
  silent: ({ host }: SftpServer) =>
    new ClipmillError("network", `${host} stopped responding. Check the network, then retry.`),
  cut: ({ host }: SftpServer) =>
    new ClipmillError("network", `The connection to ${host} was lost. Check the network, then retry.`),
  badKey: ({ name }: SftpServer) =>
    new ClipmillError(
      "bad_key",
      `The private key of the connection "${name}" cannot be read. Paste a whole OpenSSH or PEM key in Settings.`,
    ),
  badPassphrase: ({ name }: SftpServer, isMissing: boolean) =>
    new ClipmillError(
      "bad_key",
      `The private key of the connection "${name}" ${isMissing ? "has a passphrase. Enter it" : "does not open with this passphrase. Correct it"} in Settings.`,
    ),
};

export function explainConnectError(
  error: unknown,
  server: SftpServer,
  way: "password" | "private_key",
): ClipmillError {
  if (error instanceof ClipmillError) return error;
  if (error instanceof ForbiddenAddressError) return sftpErrors.privateAddress(server);
  const level = levelOf(error);
  if (level === "client-authentication") return sftpErrors.signIn(server, way);
  if (level === "client-timeout") return sftpErrors.silent(server);
  const reason = codeOf(error) ?? level;
  const sentence =
    reason === "ENOTFOUND"
      ? `There is no host named ${server.host}. Check the connection "${server.name}" in Settings.`
      : reason === "protocol" || reason === "handshake"
        ? `${server.host} did not respond like an SFTP server that Clipmill supports. Check the host and port.`
        : `${server.host} could not be reached. Check the host, the port and the network, then retry.`;
  return new ClipmillError("network", sentence, { facts: { reason }, cause: error });
}

export function explainSftpError(error: unknown, server: SftpServer): ClipmillError {
  if (error instanceof ClipmillError) return error;
  const status = (error as { code?: unknown }).code;
  const details = { facts: { status }, cause: error };
  if (status === NO_SUCH_FILE) {
    return new ClipmillError(
      "source_not_found",
      `${server.host} has no file or folder at this path. Check the path.`,
      details,
    );
  }
  if (status === PERMISSION_DENIED) {
    return new ClipmillError(
      "not_shared",
      `The user of the connection "${server.name}" does not have permission to do this. Check the folder's permissions.`,
      details,
    );
  }
  if (error instanceof Error && FULL.test(error.message)) {
    return new ClipmillError("no_space", `${server.host} is full. Delete files there, then retry.`, details);
  }
  return new ClipmillError("network", `${server.host} rejected the request. Retry later.`, details);
}

function levelOf(error: unknown): string | null {
  const level = (error as { level?: unknown } | null)?.level;
  return typeof level === "string" ? level : null;
}
