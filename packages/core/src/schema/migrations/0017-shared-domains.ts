/** Domains that other workspaces may use: their ids, or "everyone". */
export const sharedDomains = `
  alter table domains add column shared_with jsonb not null default '[]';
  create index domains_shared_with on domains using gin (shared_with) where shared_with <> '[]';
  -- Links of other workspaces are found by the host name, too.
  create index domains_domain on domains (domain);
`;
