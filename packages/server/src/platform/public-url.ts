import type { Config } from './config.ts'

/** Names that can't be resolved outside of a machine or a home network (RFC 6761, 6762, 8375). */
const privateNames = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'invalid']

/** Whether a recipient's mail program can follow links with this base: https and a public host name. */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name)
  const isPrivate = privateNames.some((one) => name === one || name.endsWith(`.${one}`))
  return protocol === 'https:' && name.includes('.') && !isAddress && !isPrivate
}

/**
 * Whether live mail may contain links of this installation. Installations that allow private addresses are exempt, since they are
 * for testing.
 */
export function linksReachRecipients({ publicUrl, network }: Pick<Config, 'publicUrl' | 'network'>): boolean {
  return network.allowPrivateTargets || isPublicUrl(publicUrl)
}

/** Whether a URL names the machine itself: the connection can't be intercepted, and other machines can't follow the URL. */
export function isOwnMachine(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}
