// As URLs write them, after parsing: whatever ends in a number is an IPv4 address there.
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/

/**
 * Whether a request names a host that is this server's: a page whose name was made to lead here by somebody else's name
 * server (DNS rebinding) names its own. Addresses are no names, so that nobody can make them lead elsewhere.
 */
export function isOwnHost(host: string, publicUrl: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || address.test(hostname) || new URL(publicUrl).hostname === hostname
}
