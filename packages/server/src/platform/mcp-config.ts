import type { Reader } from './settings/read-settings.ts'

const words = ['read', 'write', 'send', 'live'] as const

/** The upper limit of what assistants may do over `/mcp`, whatever their keys allow. */
export interface McpConfig {
  ceiling: 'read' | 'write' | 'send'
  /** Whether keys of the live environment are accepted. */
  live: boolean
}

/** Reads `OVERTURE_MCP`: `off`, or the ceiling (`read`, `write`, `send`), with `live` if live keys are accepted, as in `send,live`. */
export function readMcp(read: Reader): McpConfig | null {
  const given = read.value('OVERTURE_MCP')
  if (given.length === 1 && given[0] === 'off') return null
  const levels = given.filter((word) => word !== 'live')
  if (!given.every((word) => (words as readonly string[]).includes(word)) || levels.length > 1)
    read.problems.push(
      'OVERTURE_MCP: use off, or one of read, write and send, with live if wanted, such as "send,live".',
    )
  return { ceiling: (levels[0] as McpConfig['ceiling'] | undefined) ?? 'write', live: given.includes('live') }
}
