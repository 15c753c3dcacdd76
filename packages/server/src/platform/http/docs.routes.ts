import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '@overture/contract/errors.ts'
import { assets } from '../assets.shell.ts'
import { createDocumentation, type Documentation } from '../docs/doc-pages.shell.ts'
import { docsPage, docsScript } from '../docs/docs-page.ts'
import { contentsPage, sitePolicy } from '../docs/site-pages.ts'
import { createSite, type Site, type SiteFile } from '../docs/site.shell.ts'
import type { Logger } from '../log.shell.ts'
import { publicRoute, type PublicRoute } from './public-route.ts'

const daySeconds = 86_400
const yearSeconds = 31_536_000
const lookAgainSeconds = 5
const assetTypes: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** The documentation of this version: a site at `/docs`, Markdown at `/docs/….md`, and the page for trying the API. */
export function docsRoutes(log: Logger, document: () => object): PublicRoute[] {
  const documentation = createDocumentation(document)
  const site = createSite(log)
  const sendSite = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const current = await site.current()
    if (current?.state === 'ready') return sendFile(current.pages, path, { request, reply })
    const state = current?.state ?? 'absent'
    reply.header('content-security-policy', sitePolicy([])).header('cache-control', 'no-store')
    if (state === 'building') reply.code(503).header('retry-after', String(lookAgainSeconds))
    if (state === 'building') reply.header('refresh', String(lookAgainSeconds))
    return reply.type('text/html; charset=utf-8').send(contentsPage(state, await documentation.pages()))
  }
  return [
    get('/docs', (request, reply) => sendSite('', request, reply)),
    get('/docs/*', async (request, reply) => {
      const path = (request.params as { '*': string })['*'].replace(/\/$/, '')
      if (path === 'api') return reply.type('text/html; charset=utf-8').send(docsPage)
      if (path.startsWith('api/')) return sendAsset(path.slice('api/'.length), reply)
      if (path.endsWith('.md')) return sendMarkdown(documentation, path, reply)
      return sendSite(path, request, reply)
    }),
    get('/llms.txt', async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(await documentation.llms()),
    ),
  ]
}

function get(path: string, handler: PublicRoute['handler']): PublicRoute {
  return publicRoute({ method: 'GET', path, handler })
}

async function sendMarkdown(documentation: Documentation, path: string, reply: FastifyReply): Promise<unknown> {
  const text = await documentation.page(path.slice(0, -'.md'.length))
  if (text === null) throw notFound()
  return reply.type('text/markdown; charset=utf-8').header('cache-control', 'no-cache').send(text)
}

const sendAsset = async (file: string, reply: FastifyReply): Promise<unknown> => {
  if (file === 'docs.js') return reply.type('text/javascript; charset=utf-8').send(docsScript)
  const type = Object.hasOwn(assetTypes, file) ? assetTypes[file] : undefined
  if (type === undefined) throw notFound()
  const [content] = await assets.reference.read([file])
  return reply.type(type).header('cache-control', `public, max-age=${daySeconds}`).send(content)
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

async function sendFile({ files, scriptHashes }: Site, path: string, { request, reply }: Exchange): Promise<unknown> {
  reply.header('content-security-policy', sitePolicy(scriptHashes))
  const found = files.get(path === '' ? 'index.html' : `${path}.html`) ?? files.get(path)
  if (found === undefined) reply.code(404)
  const { type, hashed, gzip, ...file }: SiteFile = found ?? files.get('404.html')!
  const body = await file.body()
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\b)/.test(request.headers['accept-encoding'] ?? '')
  if (gzip && takesGzip) reply.header('content-encoding', 'gzip')
  return reply
    .type(type)
    .header('vary', 'accept-encoding')
    .header('cache-control', hashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
    .send(gzip && !takesGzip ? await promisify(gunzip)(body) : body)
}
