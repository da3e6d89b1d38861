import { CONNECTION_LIMITS } from "../connections.ts";
import { type KindRules, textOf } from "./connection-kind.ts";

const DEFAULT_PORT = 22;
/** A name, or an IPv4 or IPv6 address. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i;
/** Printed by ssh-keygen -l. */
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export const sftpKind: KindRules<"sftp"> = {
  kind: "sftp",
  label: "SFTP",
  text: "An SFTP server",
  fields: [
    {
      name: "host",
      label: "Host",
      type: "text",
      placeholder: "sftp.example.com",
      maxCharacters: 253,
      problemOf(host) {
        if (host === "") return "Enter the host.";
        return HOST.test(host) ? null : "Enter only the host's name or IP address, such as sftp.example.com.";
      },
    },
    {
      name: "port",
      label: "Port",
      type: "text",
      isNumber: true,
      placeholder: String(DEFAULT_PORT),
      problemOf: (port) =>
        port === "" || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)
          ? null
          : "Ports are numbers from 1 to 65535.",
    },
    {
      name: "username",
      label: "User",
      type: "text",
      maxCharacters: 100,
      problemOf: (name) => (name === "" ? "Enter the user." : problemOfLine(name, "Usernames")),
    },
    {
      name: "sign_in",
      label: "Sign in with",
      type: "choice",
      choices: [
        { value: "password", label: "Password" },
        { value: "private_key", label: "Private key" },
      ],
    },
    {
      name: "password",
      label: "Password",
      type: "secret",
      shownFor: { field: "sign_in", value: "password" },
      problemOf: (password) => problemOfLine(password, "Passwords"),
    },
    {
      name: "private_key",
      label: "Private key",
      type: "secret-text",
      placeholder: "-----BEGIN OPENSSH PRIVATE KEY-----",
      shownFor: { field: "sign_in", value: "private_key" },
      maxCharacters: CONNECTION_LIMITS.longKeyCharacters,
      problemOf: (key) =>
        key === "" || /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(key)
          ? null
          : "Paste the whole private key, from -----BEGIN to the last line.",
    },
    {
      name: "passphrase",
      label: "Passphrase",
      type: "secret",
      hint: "Only if the private key has one.",
      shownFor: { field: "sign_in", value: "private_key" },
      problemOf: (text) => problemOfLine(text, "Passphrases"),
    },
    {
      name: "host_key_fingerprint",
      label: "Host key fingerprint",
      type: "text",
      placeholder: "SHA256:…",
      hint: "The test shows it. Compare it with the server's own, from ssh-keygen -lf.",
      isFoundByTest: true,
      problemOf(text) {
        if (text === "") return "Test the connection to see the server's fingerprint, then accept it.";
        return FINGERPRINT.test(text) ? null : 'A fingerprint is "SHA256:" followed by 43 characters.';
      },
    },
  ],
  toSettings: (fields) => ({
    host: textOf(fields, "host").toLowerCase(),
    port: Number(textOf(fields, "port") || DEFAULT_PORT),
    username: textOf(fields, "username"),
    sign_in: textOf(fields, "sign_in") === "private_key" ? "private_key" : "password",
    host_key_fingerprint: textOf(fields, "host_key_fingerprint"),
  }),
  // A new key does not keep the old one's passphrase.
  mergeSecret: (saved, typed) => (typed["password"] || typed["private_key"] ? typed : { ...saved, ...typed }),
  problemOfSecret({ password, private_key: key }, { sign_in: way }) {
    if (way === "private_key") return key ? null : "Paste the private key.";
    return password ? null : "Enter the password.";
  },
  // A saved password must not reach another server, or one in the middle.
  placeOf: ({ host, port, host_key_fingerprint: fingerprint }) => `${host} ${port} ${fingerprint}`,
  endingOf: null,
};

function problemOfLine(text: string, what: string): string | null {
  return CONTROL.test(text) ? `${what} can't contain line breaks or invisible characters.` : null;
}
