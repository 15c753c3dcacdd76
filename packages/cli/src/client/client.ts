import { Overture, type OvertureOptions } from '@overture/sdk'
import type { Command } from 'commander'
import { CommandError } from '../output.ts'
import { readProfile } from './profiles.ts'

export interface ClientOptions {
  url?: string
  profile?: string
}

/** Adds the options of every command that calls a server through the public API. */
export function withClientOptions(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'URL of the server (default: OVERTURE_URL, then the URL of the login, then http://127.0.0.1:3000)',
    )
    .option('--profile <name>', 'the login to use', 'default')
}

/** The key comes from the environment or a login, never from the command line, where every user of the machine sees it. */
export async function connectClient(options: ClientOptions, more: OvertureOptions = {}): Promise<Overture> {
  const profile = await readProfile(options.profile ?? 'default')
  const apiKey = more.apiKey ?? (process.env['OVERTURE_API_KEY'] || profile?.apiKey)
  if (!apiKey) throw new CommandError('There is no API key. Log in with overture login, or set OVERTURE_API_KEY.')
  const baseUrl = options.url ?? (process.env['OVERTURE_URL'] || profile?.url)
  return new Overture({ apiKey, ...(baseUrl !== undefined && { baseUrl }), retries: 4, ...more })
}
