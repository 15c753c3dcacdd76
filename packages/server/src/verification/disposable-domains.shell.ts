let loading: Promise<ReadonlySet<string>> | null = null

/** Whether a domain, or a domain above it, gives mailboxes to everyone for some minutes. The list is loaded by the first question. */
export async function loadDisposableDomains(): Promise<(domain: string) => boolean> {
  loading ??= import('./disposable-list.ts').then((list) => list.disposableEmailBlocklistSet())
  const domains = await loading
  return (domain) => domainsAbove(domain).some((one) => domains.has(one))
}

/** The domain and those above it, without the last label. */
function domainsAbove(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}
