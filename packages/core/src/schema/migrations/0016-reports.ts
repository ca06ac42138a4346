/** What people want by mail: reports on which workspaces and tags, and in which time zone their days begin. */
export const reports = `
  create table preferences (
    account_id uuid not null primary key
      constraint preferences_account_id_foreign references workspaces (id) on delete cascade,
    time_zone text,
    report_frequency text not null default 'never',
    -- When the next report is due; null: never
    report_at timestamptz(3),
    -- Until then a node makes the report
    report_leased_until timestamptz(3)
  );
  create index preferences_report_at on preferences (report_at) where report_at is not null;

  -- A workspace, or one of its tags
  create table report_subjects (
    account_id uuid not null constraint report_subjects_account_id_foreign references workspaces (id) on delete cascade,
    workspace_id uuid not null
      constraint report_subjects_workspace_id_foreign references workspaces (id) on delete cascade,
    tag_id uuid constraint report_subjects_tag_id_foreign references tags (id) on delete cascade,
    constraint report_subjects_unique unique nulls not distinct (account_id, workspace_id, tag_id)
  );
  create index report_subjects_workspace_id on report_subjects (workspace_id);
  create index report_subjects_tag_id on report_subjects (tag_id);

  -- A row for each person and period, so that no report is made twice.
  create table report_periods (
    account_id uuid not null constraint report_periods_account_id_foreign references workspaces (id) on delete cascade,
    frequency text not null,
    first_day date not null,
    at timestamptz(3) not null,
    primary key (account_id, frequency, first_day)
  );
  create index report_periods_at on report_periods (at);
`;
