// The form in which URLs print addresses after parsing, where a host that ends in a number is an IPv4 address.
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/

/**
 * Whether a request names a host of this server. In a DNS rebinding attack, a page's own name resolves to this server, and the
 * request contains that name. IP addresses are accepted: they have no DNS record that an attacker could change.
 */
export function isOwnHost(host: string, publicUrl: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || address.test(hostname) || new URL(publicUrl).hostname === hostname
}
