import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { Overture } from '@overture/sdk'
import type { z } from 'zod'
import type { Access } from './access.ts'
import { cleaned, fenced, visible } from './clean-text.ts'
import type { Confirmations } from './confirmations.ts'

/** What a tool works with: the API in the caller's name, and a way to ask the person. */
export interface Desk {
  overture: Overture
  access: Access
  confirmations: Confirmations
  /** Whether words of strangers may be shown at all. */
  inbound: boolean
  /** Unforeseeable and short. */
  nonce(this: void): string
}

export type ToolAnswer = CallToolResult | InputRequiredResult

/** Who is shown a tool: whoever reads, whoever writes, whoever sends; those of the test environment alone. */
type Needs = 'read' | 'write' | 'send' | 'clock'

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  needs: Needs
  /** What it says comes from strangers. */
  strangers?: true
  /** It can't be taken back. */
  destructive?: true
  input: Input
  run(desk: Desk, input: z.output<Input>, context: ServerContext): Promise<ToolAnswer>
}

/** One that knows its input. */
export function tool<Input extends z.ZodObject>(value: Tool<Input>): Tool {
  return value as unknown as Tool
}

/** An answer of the account's own facts: JSON without anything hidden in it. */
export function facts(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(cleaned(value)) }] }
}

// What a client that keeps track of where text comes from may go by.
const origin = { ifc: { integrity: 'untrusted', confidentiality: 'private' } }

/** An answer that contains words of strangers: JSON between marks. */
export function fromStrangers(value: unknown, nonce: string): CallToolResult {
  const text = fenced(JSON.stringify(cleaned(value), null, 1), visible(nonce))
  return { content: [{ type: 'text', text, _meta: origin }], _meta: origin }
}

export function refusal(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}

/** Whom a tool is shown to. */
export function isOpenTo({ needs }: Tool, { environment, writes, sends }: Access): boolean {
  if (needs === 'clock') return writes && environment === 'test'
  return needs === 'read' || (needs === 'write' ? writes : sends)
}
