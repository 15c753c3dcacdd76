import type { Command } from 'commander'

/** `overture start`: the server, which reads its flags for itself as it does all of its settings; it ends by a signal. */
export function registerStart(program: Command): void {
  program
    .command('start')
    .description('Start the server, with a PostgreSQL of its own unless DATABASE_URL names one')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      await import('@overture/server/composition/main.ts')
    })
}
