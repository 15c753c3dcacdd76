import pg from 'pg'

const asksMax = 3
const connectTimeoutMs = 10_000

/** A database session as a client sees it. */
export interface Session {
  /** The id of the server process that currently serves it. */
  backend(): Promise<number>
  begin(): Promise<void>
  rollback(): Promise<void>
  end(): Promise<void>
}

/**
 * Whether a pooler lends connections for one transaction instead of a session. Then session settings, such as the visible
 * account, would apply to the next statement of another client. Two open sessions show it: several processes serve one of them,
 * or the same process serves both.
 */
export async function isTransactionPooler(open: () => Promise<Session>): Promise<boolean> {
  const first = await open()
  try {
    const second = await open()
    try {
      const served = new Set<number>()
      for (let asks = 0; asks < asksMax; asks++) served.add(await first.backend())
      await second.begin()
      const isShared = served.has(await second.backend())
      if (!isShared) for (let asks = 0; asks < asksMax; asks++) served.add(await first.backend())
      await second.rollback()
      return isShared || served.size > 1
    } finally {
      await second.end()
    }
  } finally {
    await first.end()
  }
}

export async function openSession(url: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'overture start',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => undefined)
  await client.connect()
  return {
    async backend() {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      return (rows[0] as { pid: number }).pid
    },
    begin: async () => void (await client.query('begin')),
    rollback: async () => void (await client.query('rollback')),
    end: () => client.end(),
  }
}
