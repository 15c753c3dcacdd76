import { hkdfSync } from 'node:crypto'

/** Keys that must survive a change of the encryption key: they are used in sent mail, or in hashes of values that are no longer stored. */
export interface LastingKeys {
  address: Buffer
  /** The keys that signed links in sent mail, by purpose. */
  links: Readonly<Record<string, readonly Buffer[]>>
}

export function deriveAddressKey(master: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', 'overture address', 32))
}

export function deriveSigningKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `overture token ${purpose}`, 32))
}

/** Merges two sets of keys: keeps the known address key and all keys of links. */
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
