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

export function isLoopbackAddress(address: string): boolean {
  return plainAddress(address)?.range() === 'loopback'
}

/** IPv4 that is written as IPv6 is IPv4. Only whole addresses count: `127.1` is a spelling for programs that guess. */
function plainAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isWhole ? ipaddr.process(address) : null
}
