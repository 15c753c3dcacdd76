/** The nearest domain of the account at or above a name. Null if there is none. */
export function findOwnedDomain(domain: string, owned: ReadonlySet<string>): string | null {
  return domainAndAbove(domain).find((name) => owned.has(name)) ?? null
}

/** The name and the names above it, the longest first, without the last label. */
export function domainAndAbove(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}
