import ipaddr from 'ipaddr.js'

/** Within what the registries call unicast, yet no host of the public internet: the agent of one cloud's machines. */
const ownedByClouds = ['168.63.129.16/32']
/** All that is given out of IPv6; tunnels that carry IPv4 inside and everything reserved for later lie elsewhere. */
const givenOut = ipaddr.parseCIDR('2000::/3')
const clouds = ownedByClouds.map((range) => ipaddr.parseCIDR(range))

/** Whether an IP address is no host of the public internet. What is no IP address is none either. */
export function isPrivateAddress(address: string): boolean {
  const plain = plainAddress(address)
  if (plain === null || plain.range() !== 'unicast') return true
  if (plain.kind() === 'ipv6') return !plain.match(givenOut)
  return clouds.some((range) => plain.match(range))
}

/** Where clouds serve credentials to their machines, beside link-local addresses. */
const metadataRanges = [
  ...ownedByClouds,
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
].map((range) => ipaddr.parseCIDR(range))

/**
 * Whether an address is link-local or a metadata service of a cloud, also inside an IPv6 address that carries an IPv4
 * address. These stay shut when private targets are allowed: no mail server or webhook runs there.
 */
export function isMetadataAddress(address: string): boolean {
  const plain = plainAddress(address)
  return plain !== null && [plain, ...carriedBy(plain)].some(isLinkLocalOrMetadata)
}

function isLinkLocalOrMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() === 'linkLocal') return true
  return metadataRanges.some((range) => range[0].kind() === address.kind() && address.match(range))
}

/** The IPv4 address within one of NAT64, 6to4 or the IPv4-compatible form. */
function carriedBy(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  if (!(address instanceof ipaddr.IPv6)) return []
  const bytes = address.toByteArray()
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0)
  const isNat64 = address.match(nat64) || address.match(localNat64)
  if (isCompatible || isNat64) return [new ipaddr.IPv4(bytes.slice(12))]
  return address.match(sixToFour) ? [new ipaddr.IPv4(bytes.slice(2, 6))] : []
}

const nat64 = ipaddr.parseCIDR('64:ff9b::/96')
const localNat64 = ipaddr.parseCIDR('64:ff9b:1::/48')
const sixToFour = ipaddr.parseCIDR('2002::/16')

export function isLoopbackAddress(address: string): boolean {
  return plainAddress(address)?.range() === 'loopback'
}

/** IPv4 that is written as IPv6 is IPv4. Only whole addresses count: `127.1` is a spelling for programs that guess. */
function plainAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isWhole ? ipaddr.process(address) : null
}
