import { commands } from '@overture/cli/src/commands.ts'
import { Command } from 'commander'

/** A page with the texts of `overture --help` and of the help of each command. */
export async function cliPage(): Promise<string> {
  const program = new Command('overture')
  for (const command of Object.values(commands)) (await command.load())(program)
  const texts = program.commands.flatMap((command) => commandText(command, 'overture'))
  return [
    '# The command line',
    '`npx overture` operates a server, by its database, and uses one, by its API. `overture COMMAND --help` says what stands here.',
    ...texts,
  ].join('\n\n')
}

function commandText(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`
  const helped = command.createHelp()
  const options = helped.visibleOptions(command).filter(({ long }) => long !== '--help')
  const words = helped.visibleArguments(command).filter(({ description }) => description !== '')
  const rows = [
    ...words.map((word) => [word.name(), word.description]),
    ...options.map((option) => [option.flags, helped.optionDescription(option)]),
  ].map(
    ([flags = '', description = '']) =>
      `| \`${flags.replaceAll('|', '\\|')}\` | ${description.replaceAll('|', '\\|')} |`,
  )
  return [
    `${before === 'overture' ? '##' : '###'} ${name}`,
    command.description() === '' ? '' : `${command.description().replace(/\.$/, '')}.`,
    command.commands.length > 0 ? '' : `\`${name} ${command.usage()}\``,
    rows.length === 0 ? '' : ['| | |', '|---|---|', ...rows].join('\n'),
    ...command.commands.flatMap((one) => commandText(one, name)),
  ].filter((part) => part !== '')
}
