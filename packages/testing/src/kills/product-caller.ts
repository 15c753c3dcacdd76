import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import type { NodeProcess } from './node-process.ts'

export type Caller = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>

export function createCaller(url: () => string, key: string): Caller {
  return async (method, path, body) => {
    const answer = await fetch(url() + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
}

export async function liftLimits(databaseUrl: string): Promise<void> {
  const db = createDatabase({ url: databaseUrl, log: createLogger('silent'), connectionsMax: 1 })
  await db.execute(
    'update accounts set requests_per_minute = 1000000, burst_per_second = 1000000, monthly_requests = 100000000',
  )
  await db.close()
}

export function printedLiveKey(node: NodeProcess): string {
  return findKey(node, 'live')
}

export function printedTestKey(node: NodeProcess): string {
  return findKey(node, 'test')
}

function findKey(node: NodeProcess, environment: string): string {
  const label = `${environment} key: `
  return node.printed.find((line) => line.startsWith(label))?.slice(label.length) ?? ''
}

export async function expectOk(answer: ReturnType<Caller>): Promise<Record<string, unknown>> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
