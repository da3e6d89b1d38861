import ssh2 from "ssh2";

type Encryption = { passphrase: string; cipher: string; rounds: number };

/**
 * ECDSA, because ssh2 cannot read one in about 250 of the Ed25519 keys that it generates:
 * https://github.com/mscdex/ssh2/issues/1513.
 */
export function makeSshKey(encryption?: Encryption): { public: string; private: string } {
  return ssh2.utils.generateKeyPairSync("ecdsa", { bits: 256, ...encryption });
}
