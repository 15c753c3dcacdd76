import type { Command } from 'commander'
import { rotateSecrets } from '@overture/server/composition/secrets.shell.ts'
import { show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

export function registerSecrets(program: Command): void {
  program
    .command('secrets')
    .description('Credentials and tokens at rest')
    .command('rotate')
    .description(
      'Encrypts everything again with the first key of OVERTURE_ENCRYPTION_KEY. You can then remove the other keys',
    )
    .option(
      '--end-old-links',
      'also invalidate links in messages that were sent under earlier keys, if such a key leaked',
    )
    .option('--json', 'print the result as JSON')
    .action(rotate)
}

async function rotate({ endOldLinks = false, ...options }: OutputOptions & { endOldLinks?: boolean }): Promise<void> {
  await withApp(async ({ app }) => {
    const act = { accountId: '', action: 'secrets.rotate', targetId: null }
    const rotation = await rotateSecrets(app, { endOldLinks, recorded: (tx) => recordOperator(app, tx, act) })
    const { keyId, resealed, unreadable } = rotation
    const unreadableText = unreadable === 0 ? 'No secret uses another key.' : `${unreadable} could not be read.`
    show(rotation, `${resealed} secrets encrypted again with key ${keyId}. ${unreadableText}`, options)
    if (unreadable > 0) process.exitCode = 1
  })
}
