/** Changes many tables at once, each of which needs the table for itself for a moment. */
const columns = `
  alter table workspaces add column invented text;
  alter table links add column invented integer;
  alter table domains add column invented boolean not null default false;
`;

/** Refers to tables in use, and has triggers on them. */
const favourites = `
  create table favourites (
    account_id uuid not null references workspaces (id) on delete cascade,
    link_id uuid not null references links (id) on delete cascade,
    primary key (account_id, link_id)
  );
  create function add_favourite() returns trigger language plpgsql as $$
  begin
    insert into favourites select new.account_id, new.id;
    return null;
  end $$;
  create trigger add_favourite after insert on links
    for each row when (new.account_id is not null) execute function add_favourite();
`;

/** Builds indexes, which others may read beside. */
const indexes = `
  create index links_invented on links (account_id, invented) where invented is not null;
  create index domains_invented on domains (invented);
`;

/** Replaces a trigger on links, and takes tables in an order that no transaction of the service does. */
const replacement = `
  drop trigger add_favourite on links;
  alter table links add column invented_at timestamptz(3);
  create trigger add_favourite after insert on links
    for each row when (new.account_id is not null and new.invented is null) execute function add_favourite();
  update domains set invented = false where invented;
  alter table workspaces alter column invented set default '';
`;

/** What a later version might add. Their names are later than those of all real migrations. */
export const inventedMigrations = [
  { name: "9001-columns", sql: columns },
  { name: "9002-favourites", sql: favourites },
  { name: "9003-indexes", sql: indexes },
  { name: "9004-replacement", sql: replacement },
];
