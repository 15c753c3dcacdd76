import { Command } from 'commander'
import { registerAccounts } from './accounts.ts'
import { registerCredits } from './credits.ts'
import { registerDatabase } from './database.ts'
import { registerDemo } from './demo.ts'
import { registerFinder } from './finder.ts'
import { registerKeys } from './keys.ts'
import { registerMail } from './mail-inspect.ts'
import { fail } from './output.ts'
import { registerSecrets } from './secrets.ts'

const program = new Command('overture')
  .description('Operates an Overture server: talks to its database, beside a running server or without one.')
  .showHelpAfterError()
registerAccounts(program)
registerKeys(program)
registerCredits(program)
registerFinder(program)
registerDatabase(program)
registerSecrets(program)
registerMail(program)
registerDemo(program)

try {
  await program.parseAsync()
} catch (error) {
  fail(error as Error)
}
