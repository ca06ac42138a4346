import { fixture } from "../fixture.ts";

const where = "assetlinks.0.target.sha256_cert_fingerprints.0";

export default fixture("domains.update", {
  access: "account",
  uses: ["domain"],
  dependentFields: ["shared_with"],
  // Setting an address needs the Pro plan; clearing one does not.
  input: ({ domain }) => ({ id: domain, root_url: null }),
  refusals: {
    400: [
      {
        fields: { not_found_url: "ftp://example.com/" },
        error: "not_found_url: must be an absolute http:// or https:// URL",
      },
      {
        fields: { expired_url: "http://short.test/x" },
        error: "expired_url: must not point back at a short-link host (that would be a loop)",
      },
      {
        fields: { apple_app_site_association: { applinks: { details: [{ appIDs: ["example.app"] }] } } },
        error:
          "apple_app_site_association.applinks.details.0.appIDs.0: must be ten capital letters or digits, a dot and the bundle ID, such as ABCDE12345.com.example.app",
      },
      {
        fields: {
          assetlinks: [
            {
              relation: ["delegate_permission/common.handle_all_urls"],
              target: {
                namespace: "android_app",
                package_name: "com.example.app",
                sha256_cert_fingerprints: ["14:6D"],
              },
            },
          ],
        },
        error: `${where}: must be a SHA-256 fingerprint: 32 pairs of 0 to 9 and A to F with colons between them`,
      },
    ],
  },
});
