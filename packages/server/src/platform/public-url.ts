import type { Config } from './config.ts'

/** Names that nobody outside of a machine or a house can look up (RFC 6761, 6762, 8375). */
const privateNames = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'invalid']

/** Whether a recipient's mail program can follow links that begin with this: https, and a name of the public net. */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name)
  const isPrivate = privateNames.some((one) => name === one || name.endsWith(`.${one}`))
  return protocol === 'https:' && name.includes('.') && !isAddress && !isPrivate
}

/** Whether live mail may go out with links of this installation: or its operator tries everything out on private addresses. */
export function linksReachRecipients({ publicUrl, network }: Pick<Config, 'publicUrl' | 'network'>): boolean {
  return network.allowPrivateTargets || isPublicUrl(publicUrl)
}

/** Whether a URL names the machine itself: nothing can listen in between, and others can't follow it. */
export function isOwnMachine(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}
