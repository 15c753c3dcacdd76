import { hkdfSync } from 'node:crypto'

/** What outlives a change of the encryption key: it stands in sent mail, or hashes what is no longer known. */
export interface LastingKeys {
  address: Buffer
  /** By purpose: the keys under which links in sent mail were signed. */
  links: Readonly<Record<string, readonly Buffer[]>>
}

export function addressKeyOf(master: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', 'overture address', 32))
}

export function signingKeyOf(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `overture token ${purpose}`, 32))
}

/** The address key that is known stays; keys of links are added up. */
export function mergeLastingKeys(known: LastingKeys | null, own: LastingKeys): LastingKeys {
  if (known === null) return own
  const purposes = [...new Set([...Object.keys(known.links), ...Object.keys(own.links)])]
  return {
    address: known.address,
    links: Object.fromEntries(
      purposes.map((purpose) => [purpose, distinct([...(known.links[purpose] ?? []), ...(own.links[purpose] ?? [])])]),
    ),
  }
}

export function lastingText({ address, links }: LastingKeys): string {
  const texts = Object.entries(links).map(([purpose, keys]) => [purpose, keys.map((key) => key.toString('base64'))])
  return JSON.stringify({ address: address.toString('base64'), links: Object.fromEntries(texts) })
}

export function parseLasting(text: string): LastingKeys {
  const { address, links } = JSON.parse(text) as { address: string; links: Record<string, string[]> }
  const keys = Object.entries(links).map(([purpose, texts]) => [
    purpose,
    texts.map((one) => Buffer.from(one, 'base64')),
  ])
  return { address: Buffer.from(address, 'base64'), links: Object.fromEntries(keys) }
}

function distinct(keys: readonly Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('base64'), key])).values()]
}
