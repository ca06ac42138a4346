import { Migration } from "@mikro-orm/migrations";

/**
 * The campaign of each click, and why a click is a bot's. Both are null in clicks that were counted before, and by nodes of
 * the version before.
 */
export class CampaignsAndBots extends Migration {
  override up(): void {
    this.addSql(`create table click_campaigns (
      id integer generated always as identity primary key,
      account_number integer not null references users (number) on delete cascade,
      utm_source text not null,
      utm_medium text not null,
      utm_campaign text not null,
      utm_term text not null,
      utm_content text not null,
      constraint click_campaigns_unique unique (account_number, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
    )`);
    this.addSql(`create table click_bots (
      id integer generated always as identity primary key,
      bot text not null,
      rule text not null,
      constraint click_bots_unique unique (bot, rule)
    )`);

    // The campaigns of a link on a day are limited; a row says that the link has one, by a hash of its text.
    this.addSql(`create table link_campaigns (
      link_id uuid not null,
      day date not null,
      campaign uuid not null,
      primary key (link_id, day, campaign)
    )`);
    for (const owner of ["link", "account"]) {
      this.addSql(`create table ${owner}_bots (
        ${owner}_id uuid not null,
        day date not null,
        bot_id integer not null,
        bots integer not null,
        primary key (${owner}_id, day, bot_id)
      ) with (fillfactor = 80)`);
    }
    this.addSql(`alter table clicks add column campaign_id integer, add column bot_id integer`);
    // Few clicks have a campaign, and none at first, so that the index is made quickly.
    this.addSql(`create index clicks_campaigns on clicks (account_number, id)
      include (link_id, client_id, referrer_id, variant, campaign_id, is_unique)
      where not is_bot and campaign_id is not null and account_number is not null`);
    // In the place of an index without the reason.
    this.addSql(`create index clicks_bots_with_reason on clicks (account_number, id)
      include (link_id, client_id, referrer_id, variant, bot_id)
      where is_bot and account_number is not null`);
    this.addSql(`drop index clicks_bots`);
  }
}
