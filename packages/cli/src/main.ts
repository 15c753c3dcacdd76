import { version } from '@overture/server/platform/version.ts'
import { Command } from 'commander'
import { commands } from './commands.ts'
import { fail } from './output.ts'

const program = new Command('overture')
  .description('Operates an Overture server through its database, and uses one through its API.')
  .version(version)
  .showHelpAfterError()

// Imports the code of the requested command only. The code of all commands would be all of the server.
const words = process.argv.slice(2)
const asked = words[0] === 'help' ? words[1] : words[0]
for (const [name, { description }] of Object.entries(commands)) {
  if (name !== asked) program.command(name).description(description)
}
if (asked !== undefined && Object.hasOwn(commands, asked)) {
  const register = await commands[asked]!.load()
  register(program)
}

try {
  await program.parseAsync()
} catch (error) {
  fail(error as Error)
}
