/** Passkeys (WebAuthn level 3), and the challenges that they sign. */
export const passkeys = `
  create table passkeys (
    id uuid not null primary key,
    account_id uuid not null constraint passkeys_account_id_foreign references workspaces (id) on delete cascade,
    credential_id bytea not null constraint passkeys_credential_id_unique unique,
    -- In COSE's format (RFC 9052).
    public_key bytea not null,
    -- How often it has signed, if its device counts; 0 if not.
    counter bigint not null,
    transports text[] not null,
    -- Whether a password manager copies it to other devices.
    synced boolean not null,
    name text not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  );
  create index passkeys_account_id on passkeys (account_id);

  -- A hash of each challenge with its purpose, until it is redeemed. A crash may lose them.
  create unlogged table passkey_challenges (
    hash bytea not null primary key,
    expires_at timestamptz(3) not null
  );
  create index passkey_challenges_expires_at on passkey_challenges (expires_at);
`;
