import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, createDocPages, readAccess, type Ceiling } from '@overture/mcp'
import { assets } from '@overture/server/platform/assets.shell.ts'
import type { Command } from 'commander'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'
import { CommandError } from '../output.ts'

interface McpOptions extends ClientOptions {
  keyFile?: string
  live?: boolean
  readOnly?: boolean
  allowSend?: boolean
  inbound: boolean
}

const secretBytes = 32
const nonceBytes = 9

/** `overture mcp`: the server that an assistant starts. The key comes from the environment, a file or a login. */
export function registerMcp(program: Command): void {
  withClientOptions(
    program
      .command('mcp')
      .description('Serve Overture to an assistant over standard input and output (Model Context Protocol)')
      .option('--key-file <file>', 'a file with the API key (default: OVERTURE_API_KEY, then the login)')
      .option('--live', 'allow a live key (default: only test keys)')
      .option('--read-only', 'offer only tools that change nothing')
      .option('--allow-send', 'also offer the tool that sends; a user confirms each call')
      .option('--no-inbound', 'leave out the tool that reads messages written by others'),
  ).action(serve)
}

async function serve(options: McpOptions): Promise<void> {
  if (options.readOnly === true && options.allowSend === true)
    throw new CommandError('Use either --read-only or --allow-send, not both.')
  const apiKey = options.keyFile === undefined ? undefined : (await readFile(options.keyFile, 'utf8')).trim()
  const overture = await connectClient(options, apiKey === undefined ? {} : { apiKey })
  const access = await readAccess(overture, chooseCeiling(options))
  if (access.environment === 'live' && options.live !== true)
    throw new CommandError('This is a live key. Use a test key, or add --live.')
  const settings = {
    overture,
    access,
    secret: randomBytes(secretBytes),
    // A stdio connection has only one caller.
    principal: 'stdio',
    inbound: options.inbound,
    // Over a stdio connection the user can be asked in both versions of the protocol.
    asks: true,
    docs: createDocPages(assets.docs),
    nonce: () => randomBytes(nonceBytes).toString('base64url'),
  }
  serveStdio(() => createMcpServer(settings))
  // Standard output carries the protocol, so messages for people go to standard error.
  process.stderr.write(`overture mcp: serving the ${access.environment} environment\n`)
}

function chooseCeiling({ readOnly, allowSend }: McpOptions): Ceiling {
  if (readOnly === true) return 'read'
  return allowSend === true ? 'send' : 'write'
}
