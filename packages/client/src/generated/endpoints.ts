// Written by `npm run docs`; do not edit.

/** Name, method, path below /v1/, and what is special: the answer is one of `pages` or a `file`, a field is the `body`, `none` is taken. */
export const endpoints = `
links.create POST links
links.list GET links pages
links.availability GET links/availability
links.export GET links/export file
links.get GET links/{id}
links.locate GET links/locate
links.update PUT links/{id}
links.delete DELETE links/{id}
links.bulkCreate POST links/bulk/create
links.bulkUpdate POST links/bulk/update
links.bulkDelete POST links/bulk/delete
links.transfer POST links/transfer
links.history GET links/{id}/history pages
links.qr GET links/{id}/qr file
links.qrLogo GET me/qr-logo none
links.setQrLogo PUT me/qr-logo body:image
links.deleteQrLogo DELETE me/qr-logo none
links.explain GET links/{id}/explain
links.explainDraft POST links/explain
changes.list GET changes pages
changes.undo POST changes/{id}/undo
imports.create POST imports body:content
jobs.list GET jobs pages
jobs.get GET jobs/{id}
jobs.cancel DELETE jobs/{id}
jobs.result GET jobs/{id}/result file
buckets.create POST buckets
buckets.list GET buckets pages
buckets.get GET buckets/{id}
buckets.update PUT buckets/{id}
buckets.delete DELETE buckets/{id}
buckets.stats GET buckets/{id}/stats
buckets.setAvatar PUT buckets/{id}/avatar body:image
buckets.deleteAvatar DELETE buckets/{id}/avatar
analytics.overview GET analytics/overview
analytics.realtime GET analytics/realtime
analytics.live GET analytics/live file
analytics.link GET analytics/link/{id}
analytics.export GET analytics/export file
analytics.sparklines GET analytics/sparklines
analytics.whatIf POST links/{id}/what-if
users.me GET me none
users.profile GET me/profile none
users.plan GET me/plan none
users.updateConsents PATCH me/consents
preferences.get GET me/preferences none
preferences.update PATCH me/preferences
sessions.list GET me/sessions none
sessions.end DELETE me/sessions/{id}
sessions.endAll DELETE me/sessions
domains.list GET domains none
domains.create POST domains
domains.get GET domains/{id}
domains.verify GET domains/{id}/verify
domains.update PATCH domains/{id}
domains.delete DELETE domains/{id}
keys.create POST keys
keys.list GET keys none
keys.rotate POST keys/{id}/rotate
keys.delete DELETE keys/{id}
keys.listOwn GET me/keys none
keys.deleteOwn DELETE me/keys/{id}
account.export GET me/export file none
account.delete DELETE me none
identities.list GET me/identities none
identities.unlink DELETE me/identities/{id}
passkeys.list GET me/passkeys none
passkeys.rename PATCH me/passkeys/{id}
passkeys.remove DELETE me/passkeys/{id}
connections.list GET me/connections none
connections.delete DELETE me/connections/{id}
activity.list GET me/activity pages
audit.list GET activity pages
audit.export GET activity/export file
tags.list GET tags none
tags.rename PATCH tags/{id}
tags.delete DELETE tags/{id}
webhooks.create POST webhooks
webhooks.list GET webhooks none
webhooks.get GET webhooks/{id}
webhooks.update PATCH webhooks/{id}
webhooks.delete DELETE webhooks/{id}
webhooks.rotate POST webhooks/{id}/rotate
webhooks.deliveries GET webhooks/{id}/deliveries pages
webhooks.replay POST webhooks/{id}/replay
webhooks.test POST webhooks/{id}/test
sharedReports.create POST shared-reports
sharedReports.list GET shared-reports none
sharedReports.update PATCH shared-reports/{id}
sharedReports.delete DELETE shared-reports/{id}
alerts.create POST alerts
alerts.list GET alerts none
alerts.update PATCH alerts/{id}
alerts.delete DELETE alerts/{id}
workspaces.list GET workspaces
workspaces.get GET workspaces/{id}
workspaces.create POST workspaces
workspaces.update PATCH workspaces/{id}
workspaces.delete DELETE workspaces/{id}
workspaces.restore POST workspaces/{id}/restore
workspaces.transfer POST workspaces/{id}/transfer
workspaces.acceptTransfer POST workspaces/{id}/transfer/accept
workspaces.endTransfer DELETE workspaces/{id}/transfer
workspaces.join POST workspaces/{id}/join
members.list GET members none
members.update PATCH members/{user_id}
members.remove DELETE members/{user_id}
invitations.list GET invitations none
invitations.create POST invitations
invitations.withdraw DELETE invitations/{id}
invitations.accept POST invitations/accept
`;
