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
const wanted = words[0] === 'help' ? words[1] : words[0]
for (const [name, { description }] of Object.entries(commands)) {
  if (name !== wanted) program.command(name).description(description)
}
if (wanted !== undefined && Object.hasOwn(commands, wanted)) {
  const register = await commands[wanted]!.load()
  register(program)
}

try {
  await program.parseAsync()
} catch (error) {
  fail(error as Error)
}
