import type { Overture } from '@overture/sdk'
import type { Access } from './access.ts'

/** Pages of the documentation: their names, and one by its name. */
export interface DocPages {
  names(): Promise<readonly string[]>
  /** Markdown; null: there is none of this name. */
  read(name: string): Promise<string | null>
}

export interface McpSettings {
  overture: Overture
  access: Access
  /** 32 bytes that every node has: a person's yes may come back to another. */
  secret: Uint8Array
  /** Who asks, without the key itself. */
  principal: string
  /** Whether what strangers write may be read at all. */
  inbound: boolean
  /** Whether a person can be asked over this connection. */
  asks: boolean
  docs: DocPages
  nonce(this: void): string
}
