import type { TenantMailboxInput } from '@overture/sdk'

/** Reads pasted addresses, one per line or separated by commas or semicolons. A name can come before an address in angle brackets. */
export function mailboxesIn(pasted: string): TenantMailboxInput[] {
  return pasted
    .split(/[\r\n;,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, address] = /^([^<>]*)<([^<>]*)>$/.exec(line) ?? []
      const fromName = name?.trim().replace(/^"(.*)"$/, '$1')
      return address === undefined ? { email: line } : { email: address.trim(), ...(fromName ? { fromName } : {}) }
    })
}
