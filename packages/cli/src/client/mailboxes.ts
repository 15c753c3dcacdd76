import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'
import { CommandError, show, type OutputOptions } from '../output.ts'

interface AddOptions extends ClientOptions, OutputOptions {
  connection: string
}

/** The server logs in to no mailbox during the call, but it stores up to a thousand of them. */
const uploadTimeoutMs = 300_000

export function registerMailboxes(program: Command): void {
  const mailboxes = program.command('mailboxes').description('Mailboxes of connected organizations')
  withClientOptions(
    mailboxes
      .command('add <file>')
      .description(
        'Add the mailboxes of a CSV file (columns email, fromName, dailyLimit, signature) to a tenant connection',
      )
      .requiredOption('--connection <id>', 'id of the tenant connection')
      .option('--json', 'print the results as the API does'),
  ).action(add)
}

async function add(file: string, options: AddOptions): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() !== true) throw new CommandError(`${file} is not a file.`)
  const client = await connectClient(options)
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  const timeoutMs = uploadTimeoutMs
  const added = await client.tenantConnections.addMailboxesFromCsv(options.connection, body, { timeoutMs })
  const invalid = added.results.filter(({ outcome }) => outcome === 'invalid')
  const lines = invalid.map(({ index, email, field, message }) =>
    [`item ${index + 1}`, email ?? '-', field ?? '-', message ?? ''].join('  '),
  )
  const sum = `${added.connected} connected, ${added.duplicates} already connected, ${added.invalid} rejected`
  show(added, [sum, ...lines].join('\n'), options)
  if (invalid.length > 0) process.exitCode = 1
}
