import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { Overture } from '@overture/sdk'
import type { z } from 'zod'
import type { Access } from './access.ts'
import { cleaned, fenced, visible } from './clean-text.ts'
import type { Confirmations } from './confirmations.ts'

/** The services of a tool: the API with the key of the caller, and a function to ask the person. */
export interface ToolContext {
  overture: Overture
  access: Access
  confirmations: Confirmations
  /** Whether texts of strangers may be shown at all. */
  inbound: boolean
  /** Unpredictable and short. */
  nonce(this: void): string
}

export type ToolAnswer = CallToolResult | InputRequiredResult

/** The right that a tool needs: to read, to write or to send. `clock` tools only exist in the test environment. */
type Needs = 'read' | 'write' | 'send' | 'clock'

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  needs: Needs
  /** Whether its answers contain texts of strangers. */
  strangers?: true
  /** Whether its action can't be undone. */
  destructive?: true
  input: Input
  run(toolContext: ToolContext, input: z.output<Input>, context: ServerContext): Promise<ToolAnswer>
}

/** Defines a tool with a typed input. */
export function tool<Input extends z.ZodObject>(value: Tool<Input>): Tool {
  return value as unknown as Tool
}

/** An answer with the account's own data: JSON without hidden characters. */
export function facts(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(cleaned(value)) }] }
}

// Labels for clients that track where text comes from.
const origin = { ifc: { integrity: 'untrusted', confidentiality: 'private' } }

/** An answer that contains texts of strangers: JSON between marks. */
export function fromStrangers(value: unknown, nonce: string): CallToolResult {
  const text = fenced(JSON.stringify(cleaned(value), null, 1), visible(nonce))
  return { content: [{ type: 'text', text, _meta: origin }], _meta: origin }
}

export function refusal(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}

/** Whether a caller with these rights sees the tool. */
export function isOpenTo({ needs }: Tool, { environment, writes, sends }: Access): boolean {
  if (needs === 'clock') return writes && environment === 'test'
  return needs === 'read' || (needs === 'write' ? writes : sends)
}
