/** What a domain has besides its links, none of it. A deleted domain keeps only its name. */
export const noSettings = {
  root_url: null,
  not_found_url: null,
  expired_url: null,
  apple_app_site_association: null,
  assetlinks: null,
  import_from: null,
} as const;
