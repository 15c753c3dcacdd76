import ipaddr from 'ipaddr.js'

/** Unicast addresses by the registries that are not on the public internet: the agent on the machines of one cloud. */
const ownedByClouds = ['168.63.129.16/32']
/** The assigned part of IPv6. Tunnels that contain IPv4 and ranges reserved for later use are outside of it. */
const givenOut = ipaddr.parseCIDR('2000::/3')
const clouds = ownedByClouds.map((range) => ipaddr.parseCIDR(range))

/** Whether an IP address is not on the public internet. A text that is not an IP address counts as private. */
export function isPrivateAddress(address: string): boolean {
  const plain = plainAddress(address)
  if (plain === null || plain.range() !== 'unicast') return true
  if (plain.kind() === 'ipv6') return !plain.match(givenOut)
  return clouds.some((range) => plain.match(range))
}

/** Addresses where clouds serve credentials to their machines, in addition to link-local ones. */
const metadataRanges = [
  ...ownedByClouds,
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
].map((range) => ipaddr.parseCIDR(range))

/**
 * Whether an address is link-local or a cloud's metadata service, also if it is an IPv4 address inside an IPv6 address. These
 * stay closed when private targets are allowed: no mail server or webhook runs there.
 */
export function isMetadataAddress(address: string): boolean {
  const plain = plainAddress(address)
  return plain !== null && [plain, ...carriedBy(plain)].some(isLinkLocalOrMetadata)
}

function isLinkLocalOrMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() === 'linkLocal') return true
  return metadataRanges.some((range) => range[0].kind() === address.kind() && address.match(range))
}

/** The IPv4 address inside a NAT64, 6to4 or IPv4-compatible address. */
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

/** Reads IPv4 written as IPv6 as IPv4. Rejects short forms such as `127.1`, which programs interpret differently. */
function plainAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isWhole ? ipaddr.process(address) : null
}
