/**
 * The paths of the console's screens, and the module that each one loads besides the first script, so that browsers get
 * both at once. The router in src/app/router.tsx shows them.
 */
export const screens: Readonly<Record<string, string | null>> = {
  "/": null,
  "/links": null,
  "/links/:id": "features/link/LinkScreen.tsx",
  "/links/:id/qr": "features/qr/QrScreen.tsx",
  "/qr": "features/qr/SheetScreen.tsx",
  "/import": "features/import/ImportScreen.tsx",
  "/analytics": "features/analytics/AnalyticsScreen.tsx",
  "/buckets": "features/buckets/BucketsScreen.tsx",
  "/domains": "features/domains/DomainsScreen.tsx",
  "/changes": "features/history/ChangesScreen.tsx",
  "/settings": "features/settings/SettingsScreen.tsx",
  "/settings/:section": "features/settings/SettingsScreen.tsx",
  "/operator": "features/operator/OperatorScreen.tsx",
  "/signed-in": "app/session/SignedInScreen.tsx",
};

/** What visitors see on every path. */
export const signInScreen = "app/session/SignIn.tsx";
