import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '@overture/mcp'
import { ApiError, Overture } from '@overture/sdk'
import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import { assets } from '../platform/assets.shell.ts'
import { requestOrigin } from '../platform/http/client-facts.ts'
import { parseJson } from '../platform/http/json.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import type { McpConfig } from '../platform/mcp-config.ts'
import { createAccessCache } from './access-cache.ts'
import { isOwnHost } from './asked-host.ts'
import { fetchInProcess } from './in-process.client.ts'

const rate = { name: 'mcp', perMinute: 600, burst: 120 }
const nonceBytes = 9
const keyText = /^Bearer (ovt_(?:live|test)_[0-9A-Za-z]{30})$/i

interface AssistantCaller {
  overture: Overture
  access: Access
  principal: string
}

/** The rights of an access token. */
interface AssistantGrant {
  environment: 'live' | 'test'
  scopes: readonly string[]
  apiKey: string
}

interface McpTools {
  /** Finds the grant of an access token. Null for any other header. */
  findGrant: (authorization: string | undefined) => Promise<AssistantGrant | null>
}

/** The MCP endpoint for assistants at `/mcp`: tools that call the API with the key of the request or of its grant. */
export function mcpRoutes(app: App, { findGrant }: McpTools): PublicRoute[] {
  const { mcp } = app.config
  if (mcp === null) return []
  let handler: Promise<McpHttpHandler> | null = null
  const cache = createAccessCache()
  const handle = async (request: PublicRequest, reply: FastifyReply) => {
    refuseForeign(request, app.config.publicUrl)
    const caller = await askedBy(request, reply, { app, mcp, cache, findGrant })
    const body = Buffer.isBuffer(request.body) ? parseJson(request.body) : { ok: true as const, value: undefined }
    handler ??= createHandler(app)
    const { fetch } = await handler
    const answer = await fetch(webRequest(request), {
      authInfo: { token: '', clientId: caller.principal, scopes: [], extra: { asked: caller } },
      // The protocol library reports an unreadable body in the form of the protocol.
      parsedBody: body.ok ? body.value : {},
    })
    return send(reply, answer)
  }
  return (['POST', 'GET', 'DELETE'] as const).map((method) =>
    publicRoute({ method, path: '/mcp', rate, handler: handle }),
  )
}

/** The protocol library is loaded at the first request: it takes 8 MB, and many servers never get a request of an assistant. */
async function createHandler({ secrets }: App): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createMcpServer, createDocPages }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@overture/mcp'),
  ])
  // The same on every node, since a person's confirmation may arrive at another node.
  const secret = createHash('sha256').update(secrets.signToken('mcp confirmation', [])).digest()
  return createMcpHandler(
    ({ authInfo, era }) => {
      const { overture, access, principal } = authInfo!.extra!['asked'] as AssistantCaller
      return createMcpServer({
        overture,
        access,
        principal,
        secret,
        inbound: true,
        // Only the newer protocol can ask a person between two independent requests.
        asks: era === 'modern',
        docs: createDocPages(assets.docs),
        nonce: () => randomBytes(nonceBytes).toString('base64url'),
      })
    },
    // Nothing changes here that a client could subscribe to.
    { maxSubscriptions: 0 },
  )
}

function refuseForeign(request: FastifyRequest, publicUrl: string): void {
  if (requestOrigin(request) === 'foreign')
    throw new AppError('INSUFFICIENT_SCOPE', 'Requests from pages of other sites are not allowed.')
  if (!isOwnHost(request.host, publicUrl))
    throw new AppError('INSUFFICIENT_SCOPE', 'The host name of this request is unknown. Set OVERTURE_PUBLIC_URL to it.')
}

interface Doors extends McpTools {
  app: App
  mcp: McpConfig
  cache: ReturnType<typeof createAccessCache>
}

async function askedBy(
  request: PublicRequest,
  reply: FastifyReply,
  { app, mcp, cache, findGrant }: Doors,
): Promise<AssistantCaller> {
  const { authorization } = request.headers
  const ownKey = keyText.exec(authorization ?? '')?.[1]
  const grant = ownKey === undefined ? await findGrant(authorization) : null
  const apiKey = ownKey ?? grant?.apiKey
  if (apiKey === undefined) throw unknownKey(app, reply)
  if (apiKey.startsWith('ovt_live_') && !mcp.live)
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      'Assistants can use only test keys here. Set OVERTURE_MCP=write,live to allow live keys.',
    )
  const principal = createHash('sha256').update(apiKey).digest('hex')
  const userAgent = `overture-mcp ${request.headers['user-agent'] ?? ''}`.trim()
  const overture = new Overture({
    apiKey,
    baseUrl: 'http://in-process.invalid',
    retries: 0,
    fetch: fetchInProcess(request.server, { ip: request.ip, userAgent }),
  })
  const nowMs = app.clock.now().getTime()
  const known = cache.find(principal, nowMs)
  if (known !== null) return { overture, access: known, principal }
  const { readAccess } = await import('@overture/mcp')
  const access = await readAccess(overture, grantedCeiling(mcp.ceiling, grant)).catch((error: unknown) => {
    throw sendRefusal(app, error, reply)
  })
  cache.keep(principal, access, nowMs)
  return { overture, access, principal }
}

/** The ceiling of the operator, lowered to what the user allowed. */
function grantedCeiling(ceiling: McpConfig['ceiling'], grant: AssistantGrant | null): McpConfig['ceiling'] {
  if (grant === null) return ceiling
  if (ceiling === 'read' || !grant.scopes.includes('write')) return 'read'
  return grant.scopes.includes('send') ? ceiling : 'write'
}

/** Names the metadata by which a client finds out how to get a token (RFC 9728). */
function unknownKey({ config }: App, reply: FastifyReply): AppError {
  const metadata = `, resource_metadata="${config.publicUrl}/.well-known/oauth-protected-resource/mcp"`
  reply.header('www-authenticate', `Bearer realm="overture"${config.console ? metadata : ''}`)
  return new AppError('UNAUTHORIZED', 'Send an API key: Authorization: Bearer ovt_test_….')
}

/** Passes on an error of the API about the key. */
function sendRefusal(app: App, error: unknown, reply: FastifyReply): unknown {
  if (!ApiError.is(error)) return error
  if (error.status === 401) return unknownKey(app, reply)
  const { retryAfterSeconds } = error
  const details = retryAfterSeconds === null ? {} : { retryAfterSeconds }
  return new AppError(error.code as 'RATE_LIMIT_EXCEEDED', error.message, details)
}

function webRequest({ method, headers }: FastifyRequest): Request {
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') kept.set(name, value)
  return new Request('http://in-process.invalid/mcp', { method, headers: kept })
}

function send(reply: FastifyReply, answer: Response): unknown {
  reply.code(answer.status).header('cache-control', 'no-store')
  for (const [name, value] of answer.headers) reply.header(name, value)
  return reply.send(answer.body === null ? '' : Readable.fromWeb(answer.body as WebStream))
}
