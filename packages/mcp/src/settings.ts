import type { Overture } from '@overture/sdk'
import type { Access } from './access.ts'

/** Pages of the documentation: their names, and the text of one page. */
export interface DocPages {
  names(): Promise<readonly string[]>
  /** Returns Markdown, or null if there is no page of this name. */
  read(name: string): Promise<string | null>
}

export interface McpSettings {
  overture: Overture
  access: Access
  /** 32 bytes that all nodes share, since a person's consent may arrive at another node. */
  secret: Uint8Array
  /** Identifies the caller without revealing the key. */
  principal: string
  /** Whether texts of strangers may be read at all. */
  inbound: boolean
  /** Whether the connection allows to ask a person. */
  asks: boolean
  docs: DocPages
  nonce(this: void): string
}
