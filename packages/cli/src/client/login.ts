import { text } from 'node:stream/consumers'
import { Overture } from '@overture/sdk'
import type { Command } from 'commander'
import { CommandError } from '../output.ts'
import { writeProfile } from './profiles.ts'

interface LoginOptions {
  url: string
  profile: string
}

/** `overture login`: stores a key for the other commands after the server has accepted it. */
export function registerLogin(program: Command): void {
  program
    .command('login')
    .description('Store an API key, read from standard input, for the commands that use a server')
    .option('--url <url>', 'URL of the server', process.env['OVERTURE_URL'] || 'http://127.0.0.1:3000')
    .option('--profile <name>', 'name of the login', 'default')
    .action(login)
}

async function login({ url, profile }: LoginOptions): Promise<void> {
  if (process.stdin.isTTY) process.stderr.write('API key, then Enter and Ctrl+D: ')
  const apiKey = (await text(process.stdin)).trim()
  if (apiKey === '') throw new CommandError('No key was entered. Pipe it in, such as overture login < key.txt')
  const account = await new Overture({ apiKey, baseUrl: url }).account.get()
  const file = await writeProfile(profile, { url, apiKey })
  console.log(`${account.name} (${account.environment}) is stored as "${profile}" in ${file}`)
}
