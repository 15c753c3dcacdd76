import { ResourceTemplate, type McpServer, type ReadResourceResult } from '@modelcontextprotocol/server'
import { allEndpoints } from '@overture/contract'
import { z } from 'zod'
import { cleaned } from './clean-text.ts'
import type { McpSettings } from './settings.ts'

/** Resources that can be read by their URI: campaigns, leads, the documentation, and each operation of the API. */
export function addResources(server: McpServer, settings: Pick<McpSettings, 'overture' | 'docs'>): void {
  addOwnResources(server, settings)
  addDocs(server, settings)
  addOperations(server)
}

function addOwnResources(server: McpServer, { overture }: Pick<McpSettings, 'overture'>): void {
  server.registerResource(
    'campaign',
    new ResourceTemplate('overture://campaigns/{id}', { list: undefined }),
    { title: 'A campaign', mimeType: 'application/json' },
    async (uri, { id }) => json(uri, await overture.campaigns.get(String(id))),
  )
  server.registerResource(
    'lead',
    new ResourceTemplate('overture://campaigns/{id}/leads/{leadId}', { list: undefined }),
    { title: 'A lead of a campaign', mimeType: 'application/json' },
    async (uri, { id, leadId }) => json(uri, await overture.campaigns.leads.get(String(id), String(leadId))),
  )
}

function addDocs(server: McpServer, { docs }: Pick<McpSettings, 'docs'>): void {
  const list = async () => ({
    resources: (await docs.names()).map((name) => ({
      uri: `overture://docs/${name}`,
      name,
      mimeType: 'text/markdown',
    })),
  })
  server.registerResource(
    'docs',
    new ResourceTemplate('overture://docs/{page}', { list }),
    { title: 'Documentation', mimeType: 'text/markdown' },
    async (uri, { page }) => {
      const text = await docs.read(String(page))
      if (text === null) throw new Error(`Unknown page ${String(page)}. Use one of ${(await docs.names()).join(', ')}.`)
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
    },
  )
}

function addOperations(server: McpServer): void {
  server.registerResource(
    'operation',
    new ResourceTemplate('overture://operations/{call}', { list: undefined }),
    { title: 'An operation of the API', mimeType: 'application/json' },
    (uri, { call }) => {
      const endpoint = allEndpoints.find((one) => one.call === String(call))
      if (endpoint === undefined) throw new Error(`Unknown operation ${String(call)}.`)
      const { method, path, scope, summary, description, body, query } = endpoint
      return json(uri, {
        method,
        path,
        scope,
        summary,
        description,
        body: toJsonSchema(body),
        query: toJsonSchema(query),
      })
    },
  )
}

function toJsonSchema(schema: z.ZodType | undefined): unknown {
  return schema === undefined ? null : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

function json(uri: URL, value: unknown): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(cleaned(value)) }] }
}
