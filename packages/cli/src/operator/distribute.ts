import { type Command, InvalidArgumentError } from 'commander'
import { ConfigError } from '@overture/server/platform/config.ts'
import { distribute, planDistribution, raiseReceiver } from '@overture/server/platform/distributed/distribute.shell.ts'
import { findRefusedStatements, listStatements } from '@overture/server/platform/distributed/check.shell.ts'
import {
  findNodesUnfitness,
  findShardCountUnfitness,
  openClient,
} from '@overture/server/platform/distributed/look.shell.ts'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { refuseDatabaseUrl } from '@overture/server/composition/open-app.shell.ts'
import { show, type OutputOptions } from '../output.ts'
import { readSetting } from './session.ts'

interface DistributeOptions extends OutputOptions {
  check?: boolean
  dryRun?: boolean
  servers?: number
  receives?: { host: string; port: number }
}

type Client = Awaited<ReturnType<typeof openClient>>

export function registerDistribute(program: Command): void {
  program
    .command('distribute')
    .description(
      'Distributes the accounts of a database over the servers of Citus. A second run continues an interrupted one',
    )
    .option('--dry-run', 'print the remaining SQL; only pending migrations are applied')
    .option(
      '--receives <host:port>',
      'prepare this server for accounts that are moved to it: number its events above all others',
      receiver,
    )
    .option('--check', 'only try every statement of this release on the servers, and list those that they refuse')
    .option(
      '--servers <number>',
      'the number of servers that there will ever be, for the check of citus.shard_count',
      wholeNumber,
    )
    .option('--json', 'print the result as JSON')
    .action(runDistribute)
}

async function runDistribute(options: DistributeOptions): Promise<void> {
  const { config, log } = readSetting()
  const url = config.databaseUrl
  if (url === null || !config.distributed)
    throw new ConfigError(['OVERTURE_CITUS: set it to on, and DATABASE_URL to the coordinator (docs/citus.md).'])
  await migrate({ url, log, distributed: true }).catch(refuseDatabaseUrl)
  const client = await openClient(url)
  try {
    const unfit = await findNodesUnfitness(client)
    if (unfit !== null) throw new ConfigError([`DATABASE_URL: ${unfit}`])
    if (options.check === true) return await check(client, options)
    const shards = await findShardCountUnfitness(client, options.servers ?? null)
    if (shards !== null) throw new ConfigError([shards])
    if (options.receives !== undefined) return await receive(client, options.receives, options)
    if (options.dryRun === true) return await printPlan(client, options)
    await run(client, options)
  } finally {
    await client.end()
  }
}

async function receive(
  client: Client,
  { host, port }: { host: string; port: number },
  options: OutputOptions,
): Promise<void> {
  // A server that was added lacks tables, and readers of events wait for it.
  await distribute(client, (step, remaining) => progress(step, remaining, options))
  const epoch = await raiseReceiver(client, host, port)
  show({ epoch }, `${host}:${port} is in epoch ${epoch}, above all others. You can move accounts to it now.`, options)
}

async function printPlan(client: Client, options: OutputOptions): Promise<void> {
  const steps = await planDistribution(client)
  const text = steps.map(({ what, statements }) => `-- ${what}\n${statements.join(';\n')};`).join('\n')
  show({ steps }, text || 'Nothing to do.', options)
}

async function run(client: Client, options: OutputOptions): Promise<void> {
  const done = await distribute(client, (step, remaining) => progress(step, remaining, options))
  show({ done }, done === 0 ? 'Nothing to do.' : 'Every table is distributed.', options)
}

function progress({ what }: { what: string }, remaining: number, options: OutputOptions): void {
  if (options.json !== true) process.stderr.write(`${remaining} left: ${what}\n`)
}

const reportEvery = 100

async function check(client: Client, options: OutputOptions): Promise<void> {
  const statements = await listStatements()
  const refused = await findRefusedStatements(client, statements, (done) => {
    if (done % reportEvery === 0) progress({ what: 'statements' }, statements.length - done, options)
  })
  const lines = refused.map(({ name, reason, text }) => `${name}: ${reason}\n  ${text.replaceAll(/\s+/g, ' ')}`)
  const verdict = `${refused.length} of ${statements.length} statements are refused.`
  show({ statements: statements.length, refused }, [...lines, verdict].join('\n'), options)
  if (refused.length > 0) process.exitCode = 1
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a number of servers, 1 or more.')
  return Number(text)
}

const portMax = 65_535

function receiver(text: string): { host: string; port: number } {
  const match = /^(?<host>.+):(?<port>\d{1,5})$/.exec(text)
  const port = Number(match?.groups?.['port'])
  if (match === null || port < 1 || port > portMax) throw new InvalidArgumentError('Expected host:port.')
  return { host: match.groups?.['host'] ?? '', port }
}
