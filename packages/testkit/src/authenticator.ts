import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What a browser does for a page, and how it may deviate. */
interface Situation {
  /** The page's origin; default: the authenticator's */
  origin?: string;
  /** Whether the device has verified its user; default: it has */
  isVerified?: boolean;
  /** Of the answer to `use`; default: one more than the last one */
  counter?: number;
}

interface Options {
  challenge: string;
  user?: { id: string };
}

/** A device with one passkey for the page at `origin`, without a browser (WebAuthn level 3, section 6). */
export function createAuthenticator(origin: string) {
  const rpId = new URL(origin).hostname;
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let counter = 0;
  let userHandle = randomBytes(16).toString("base64url");

  const clientData = (type: string, { challenge }: Options, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  function authenticatorData(count: number, isVerified: boolean, attested = Buffer.alloc(0)): Buffer {
    const flags = 1 | (isVerified ? 4 : 0) | (attested.length > 0 ? 64 : 0);
    const counted = Buffer.alloc(5);
    counted.writeUInt8(flags);
    counted.writeUInt32BE(count, 1);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), counted, attested]);
  }

  const answer = (response: Record<string, string>) => {
    const text = id.toString("base64url");
    return { id: text, rawId: text, type: "public-key", clientExtensionResults: {}, response };
  };

  return {
    id,
    /** Answers `navigator.credentials.create`. */
    make(options: Options, { origin: from, isVerified = true }: Situation = {}, fmt = "none") {
      userHandle = options.user?.id ?? userHandle;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const authData = authenticatorData(counter, isVerified, attested);
      return answer({
        clientDataJSON: clientData("webauthn.create", options, from).toString("base64url"),
        attestationObject: cbor(
          new Map<string, Cbor>([
            ["fmt", fmt],
            ["attStmt", fmt === "none" ? new Map() : new Map([["x5c", randomBytes(8)]])],
            ["authData", authData],
          ]),
        ).toString("base64url"),
      });
    },
    /** Answers `navigator.credentials.get`. */
    use(options: Options, { origin: from, isVerified = true, counter: count }: Situation = {}) {
      counter = count ?? counter + 1;
      const data = clientData("webauthn.get", options, from);
      const authData = authenticatorData(counter, isVerified);
      const signed = Buffer.concat([authData, createHash("sha256").update(data).digest()]);
      return answer({
        clientDataJSON: data.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
        userHandle,
      });
    },
  };
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** The few kinds of values (RFC 8949) that attestations have. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value]);
  if (value < 256) return Buffer.from([(kind << 5) | 24, value]);
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 255]);
}

/** A key for ES256, as RFC 9052 and 9053 write it. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const entries: [number, Cbor][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ];
  return cbor(new Map(entries));
}
