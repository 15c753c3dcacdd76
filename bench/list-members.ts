import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { expectEqual, startServer, type Server } from './server.ts'
import { line, median, type Stage } from './stage.ts'

const turns = 50

interface Page {
  results: unknown[]
  nextCursor: string | null
}

/** Walks the members of a large list over HTTP, then reads its first and its last full page again, in turns. */
export async function benchListMembers(stage: Stage, members: number): Promise<void> {
  const server = await startServer(stage, 'bench_list_members')
  try {
    const { id } = await server.call('POST', '/v2/lists', JSON.stringify({ name: 'Large' }))
    await insertMembers(server.databaseUrl, String(id), members)
    const path = `/v2/lists/${String(id)}/members?limit=100`
    let seen = 0
    const cursors: (string | null)[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      cursors.push(cursor ?? null)
      const page = await readPage(server, path, cursor ?? null)
      seen += page.results.length
      cursor = page.nextCursor
    }
    expectEqual('members', seen, members)
    const [first = [], last = []] = await timePages(server, path, [null, cursors.at(-2) ?? null])
    line(
      `pages of a list of ${members} members, last / first`,
      median(last) / median(first),
      `${median(last).toFixed(1)} ms against ${median(first).toFixed(1)} ms, ${cursors.length} pages`,
    )
  } finally {
    await server.stop()
  }
}

async function readPage(server: Server, path: string, cursor: string | null): Promise<Page> {
  return (await server.call('GET', cursor === null ? path : `${path}&cursor=${cursor}`)) as unknown as Page
}

/** The times of each page in milliseconds. */
async function timePages(server: Server, path: string, cursors: readonly (string | null)[]): Promise<number[][]> {
  const times: number[][] = cursors.map(() => [])
  for (let turn = 0; turn < turns; turn++)
    for (const [at, cursor] of cursors.entries()) {
      const startedMs = performance.now()
      await readPage(server, path, cursor)
      times[at]!.push(performance.now() - startedMs)
    }
  return times
}

async function insertMembers(url: string, listId: string, members: number): Promise<void> {
  const db = createDatabase({ url, log: createLogger('error'), connectionsMax: 1 })
  await db.execute(
    `insert into list_members (account_id, environment, list_id, email, email_given, position, fields, added_at, updated_at)
     select l.account_id, l.environment, l.id, 'p' || n || '@acme.test', 'p' || n || '@acme.test', n, '{"firstName": "Ada"}', now(), now()
     from lists l, generate_series(1, $2::int) n where l.id = $1`,
    [listId, members],
  )
  await db.execute(`update lists set member_count = $2::int, last_position = $2::int where id = $1`, [listId, members])
  await db.execute('analyze list_members')
  await db.close()
}
