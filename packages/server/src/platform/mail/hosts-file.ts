import ipaddr from 'ipaddr.js'

const isIPv4 = (address: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(address)

/** The names of a hosts file, in lower case, each with its addresses, IPv4 first. */
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

/** The domains of a resolv.conf that complete short names. The last `search` or `domain` line counts. */
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

/** The names to query, in order. A name with a dot is tried as it is first, whatever the system's `ndots`: most are complete. */
export function listCandidates(name: string, searchList: readonly string[]): string[] {
  const completed = searchList.map((domain) => `${name}.${domain}`)
  return name.includes('.') ? [name, ...completed] : [...completed, name]
}
