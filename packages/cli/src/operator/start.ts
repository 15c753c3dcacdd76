import type { Command } from 'commander'

/** `overture start`: runs the server until a signal ends it. The server parses its own flags, like all of its settings. */
export function registerStart(program: Command): void {
  program
    .command('start')
    .description('Start the server, with its own PostgreSQL unless DATABASE_URL is set')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      await import('@overture/server/composition/main.ts')
    })
}
