/** A DNS provider that the console can help with. */
export interface DnsProvider {
  title: string;
  /** Matches its name servers */
  servers: RegExp;
  /** The menus that lead to the DNS records, as the provider calls them */
  path: readonly string[];
  /** The records must not be proxied there */
  proxies?: true;
}

export const dnsProviders: readonly DnsProvider[] = [
  { title: "Amazon Route 53", servers: /\.awsdns-/, path: ["Hosted zones", "Create record"] },
  {
    title: "Cloudflare",
    servers: /\.ns\.cloudflare\.com$/,
    path: ["Domains", "DNS", "Records"],
    proxies: true,
  },
  { title: "DigitalOcean", servers: /\.digitalocean\.com$/, path: ["Networking", "Domains"] },
  { title: "GoDaddy", servers: /\.domaincontrol\.com$/, path: ["Domain Portfolio", "DNS"] },
  {
    title: "Google Cloud DNS",
    servers: /^ns-cloud-.*\.googledomains\.com$/,
    path: ["Network Services", "Cloud DNS", "Zones"],
  },
  {
    title: "Hetzner",
    servers: /\.ns\.hetzner\.(?:com|de)$|\.(?:first|second)-ns\.(?:com|de)$/,
    path: ["DNS", "Records"],
  },
  { title: "IONOS", servers: /\.ui-dns\.(?:com|de|org|biz)$/, path: ["Domains & SSL", "DNS"] },
  {
    title: "Namecheap",
    servers: /\.registrar-servers\.com$/,
    path: ["Domain List", "Manage", "Advanced DNS"],
  },
  { title: "OVHcloud", servers: /\.ovh\.(?:net|ca)$|\.anycast\.me$/, path: ["Domain names", "DNS zone"] },
  { title: "Porkbun", servers: /\.porkbun\.com$/, path: ["Domain Management", "DNS"] },
];

/** The provider that these name servers belong to; undefined if it is not in the list. */
export const providerOf = (nameServers: readonly string[] | null): DnsProvider | undefined =>
  dnsProviders.find(({ servers }) => nameServers?.some((name) => servers.test(name)));
