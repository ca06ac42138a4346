/** Whether a person's directory has deactivated them, on the person's row: each request asks. */
export const deactivated = `
  alter table workspaces add column deactivated boolean not null default false;

  -- Also when the directory's workspace goes, and its rows with it: nobody else could activate them.
  create function note_deactivation() returns trigger language plpgsql as $$
  begin
    update workspaces set deactivated = not deactivated
    where id in (old.user_id, new.user_id) and deactivated <> exists (
      select from scim_users where user_id = workspaces.id and made_person and not active);
    return null;
  end $$;
  create trigger note_deactivation after insert or delete or update of user_id, made_person, active on scim_users
    for each row execute function note_deactivation();

  update workspaces set deactivated = true
  where id in (select user_id from scim_users where made_person and not active);
`;
