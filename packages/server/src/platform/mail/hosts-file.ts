import ipaddr from 'ipaddr.js'

const isIPv4 = (address: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(address)

/** Names, in lower case, with their addresses, IPv4 first, as a hosts file gives them. */
export function readHosts(text: string): Map<string, readonly string[]> {
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (!isIPv4(address) && !ipaddr.IPv6.isValid(address)) continue
    for (const name of names) {
      const known = addresses.get(name.toLowerCase()) ?? []
      if (!known.includes(address)) addresses.set(name.toLowerCase(), [...known, address])
    }
  }
  const ordered = [...addresses].map(([name, found]): [string, string[]] => [
    name,
    [...found.filter(isIPv4), ...found.filter((address) => !isIPv4(address))],
  ])
  return new Map(ordered)
}

/** The domains that the system completes short names with, of a resolv.conf: the last `search` or `domain` counts. */
export function readSearchList(text: string): readonly string[] {
  let domains: string[] = []
  for (const line of text.split('\n')) {
    const [word = '', ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (word === 'search' || word === 'domain')
      domains = values.map((domain) => domain.replace(/\.$/, '')).filter(Boolean)
  }
  return domains
}

/** The names to ask for, in turn. One with a dot is whole first of all, whatever the system's `ndots`: most are. */
export function candidatesOf(name: string, searchList: readonly string[]): string[] {
  const completed = searchList.map((domain) => `${name}.${domain}`)
  return name.includes('.') ? [name, ...completed] : [...completed, name]
}
