import type { Command } from 'commander'

/** `overture start`: the server, set by the environment alone; it ends by a signal. */
export function registerStart(program: Command): void {
  program
    .command('start')
    .description('Start the server, with a PostgreSQL of its own unless DATABASE_URL names one')
    .action(async () => {
      await import('@overture/server/composition/main.ts')
    })
}
