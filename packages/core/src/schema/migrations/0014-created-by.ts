/**
 * The people who made links, pages and webhooks; null if unknown. API keys have had it since workspaces. Links have no foreign key:
 * erasing a person would have to look at all links, and what they made stays that of someone who has left.
 */
export const createdBy = `
  alter table links add column made_by uuid;
  -- Those of others than the owner of a personal workspace, in the order of lists
  create index links_made_by on links (account_id, made_by, created_at desc, id desc) where made_by <> account_id;
  alter table buckets add column created_by uuid
    constraint buckets_created_by_foreign references workspaces (id) on delete set null;
  alter table webhooks add column created_by uuid
    constraint webhooks_created_by_foreign references workspaces (id) on delete set null;
  create index buckets_created_by on buckets (created_by);
  create index webhooks_created_by on webhooks (created_by);
`;
