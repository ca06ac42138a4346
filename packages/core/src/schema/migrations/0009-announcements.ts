/**
 * Triggers announce every change of what visitors get when it commits, so that all processes forget what they cached of it.
 * Clicks update other columns and announce nothing, nor do new links, because unknown slugs are cached for less than a second.
 */
export const announcements = `
  create function announce_link_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify('terse_routes', old.domain_id || '/' || old.slug);
    if tg_op = 'UPDATE' and (new.domain_id <> old.domain_id or new.slug <> old.slug) then
      perform pg_notify('terse_routes', new.domain_id || '/' || new.slug);
    end if;
    return null;
  end $$;
  create trigger announce_link_change
    after delete or update of domain_id, slug, destination, disabled_at, is_active, starts_at, expires_at, click_limit,
      preview, password_hash, rules, geo_rules, ab_test, fallback_url, redirect_status, forward_path, forward_query
    on links for each row execute function announce_link_change();

  -- A bucket's page shows data of other rows. A change of one of them also updates the bucket, which announces its page.
  create function announce_bucket_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify('terse_routes', domain_id || '/' || slug) from links where id = old.id;
    return null;
  end $$;
  create trigger announce_bucket_change
    after update of name, description, accent_color, updated_at
    on buckets for each row execute function announce_bucket_change();

  -- The hourly check writes these three and, unchanged, the status.
  create function announce_domain_change() returns trigger language plpgsql as $$
  declare
    checks constant text[] := array['checked_at', 'verified_at', 'broken_since'];
  begin
    if tg_op = 'UPDATE' and to_jsonb(new) - checks = to_jsonb(old) - checks then return null; end if;
    if tg_op <> 'INSERT' then perform pg_notify('terse_routes', 'host:' || old.domain); end if;
    if tg_op <> 'DELETE' then perform pg_notify('terse_routes', 'host:' || new.domain); end if;
    return null;
  end $$;
  create trigger announce_domain_change
    after insert or delete or update of domain, status, root_url, not_found_url, expired_url,
      apple_app_site_association, assetlinks, import_from
    on domains for each row execute function announce_domain_change();

  -- One message for all links of the account: routes know the number of their account.
  create function announce_account_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify('terse_routes', 'account:' || new.number);
    return null;
  end $$;
  create trigger announce_account_change
    after update of suspended_at, deletes_at on users for each row execute function announce_account_change();
`;
