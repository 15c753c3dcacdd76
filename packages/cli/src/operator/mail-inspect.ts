import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { inspectMessage } from '@overture/mail-reading/classify/inspect.ts'
import { mimeLimits } from '@overture/mail-reading/mime/mime-limits.ts'

/** `overture mail inspect FILE… --json`: needs no server, database or data folder. Source: docs/contract.md, "Inbox". */
export function registerMail(program: Command): void {
  const mail = program.command('mail').description('Work with raw messages')
  mail
    .command('inspect')
    .description('Show how the inbox classifies raw messages, one line each')
    .argument('<file...>', 'files with one raw message each')
    .option('--json', 'print one JSON object per line')
    .action(async (files: string[], options: { json?: boolean }) => {
      for (const file of files) await inspectFile(file, options.json === true)
    })
}

async function inspectFile(file: string, json: boolean): Promise<void> {
  const raw = await readStart(file)
  if (raw === null) {
    process.stderr.write(`${file}: can't be read\n`)
    process.exitCode = 1
    return
  }
  const found = { file, ...inspectMessage(raw) }
  const line = json
    ? JSON.stringify(found)
    : `${file}: ${found.kind} (${found.rule})` +
      found.bounces.map((one) => ` ${one.type} ${one.status} ${one.reason} ${one.recipient}`).join(',')
  if (!process.stdout.write(`${line}\n`)) await new Promise((resolve) => process.stdout.once('drain', resolve))
}

// Reads no more of the file into memory than the parser needs.
async function readStart(file: string): Promise<Uint8Array | null> {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.alloc(Math.min(size, mimeLimits.totalBytes + 1))
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  } catch {
    return null
  } finally {
    await handle.close()
  }
}
