/**
 * The paths of the console's screens, and the module that each one loads besides the first script, so that browsers get
 * both at once. The router in web/router.tsx shows them.
 */
export const screens: Readonly<Record<string, string | null>> = {
  "/": null,
  "/links": null,
  "/links/:id": "link/LinkScreen.tsx",
  "/links/:id/qr": "qr/QrScreen.tsx",
  "/qr": "qr/SheetScreen.tsx",
  "/import": "import/ImportScreen.tsx",
  "/analytics": "analytics/AnalyticsScreen.tsx",
  "/buckets": "buckets/BucketsScreen.tsx",
  "/domains": "domains/DomainsScreen.tsx",
  "/changes": "history/ChangesScreen.tsx",
  "/settings": "settings/SettingsScreen.tsx",
  "/settings/:section": "settings/SettingsScreen.tsx",
  "/operator": "operator/OperatorScreen.tsx",
  "/signed-in": "session/SignedInScreen.tsx",
};

/** What visitors see on every path. */
export const signInScreen = "session/SignIn.tsx";
