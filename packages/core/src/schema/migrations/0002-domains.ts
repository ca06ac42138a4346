import { ownDomainId } from "../../kernel/host-names.ts";

export const domains = `
  create type domain_status as enum ('pending', 'verified', 'failed');

  create table domains (
    id uuid not null primary key,
    account_id uuid constraint domains_account_id_foreign references users (id) on delete cascade,
    domain text not null,
    status domain_status not null,
    challenge text not null,
    created_at timestamptz(3) not null,
    verified_at timestamptz(3),
    checked_at timestamptz(3),
    broken_since timestamptz(3),
    deleted_at timestamptz(3),
    -- Where visits that reach no link are sent, and the files that connect the domain with apps
    root_url text,
    not_found_url text,
    expired_url text,
    apple_app_site_association text,
    assetlinks text,
    -- The service that is asked about unknown slugs, and the links that came from there: all, and in the current hour
    import_from text,
    imported_links integer not null default 0,
    imported_hour timestamptz(3),
    imported_in_hour integer not null default 0,
    constraint domains_account_id_domain_unique unique (account_id, domain)
  );
  -- Several accounts may add a name, but only one can verify it; look-ups by host return that one.
  create unique index domains_verified on domains (domain) where status = 'verified';
  create index domains_checked_at on domains (checked_at) where deleted_at is null;

  -- The service's own short-link host; its name is a setting, not data.
  insert into domains (id, domain, status, challenge, created_at)
  values ('${ownDomainId}', '', 'verified', '', 'epoch');
`;
