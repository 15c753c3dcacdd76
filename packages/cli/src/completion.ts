import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { InvalidArgumentError, type Command } from 'commander'

/** The words to complete: the first word, and the operation of `overture api`. */
interface Words {
  /** Command names and their descriptions. */
  commands: ReadonlyMap<string, string>
  calls: readonly string[]
}

const scripts: Readonly<Record<string, (words: Words) => readonly string[]>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `overture completion bash`: prints the script with which a shell completes commands and operations. */
export function registerCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('Print a script that completes commands in bash, zsh or fish')
    .addHelpText(
      'after',
      '\n  bash, zsh: eval "$(overture completion bash)"\n  fish: overture completion fish | source',
    )
    .action((shell: string) => {
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
      if (script === undefined) throw new InvalidArgumentError(`Use one of ${Object.keys(scripts).join(', ')}.`)
      const calls = allEndpoints.filter(({ outputType }) => outputType !== 'text/event-stream').map(({ call }) => call)
      const commands = new Map(program.commands.map((command) => [command.name(), command.description()]))
      commands.set('help', 'What a command does')
      console.log(script({ commands, calls }).join('\n'))
    })
}

function bashScript({ commands, calls }: Words): string[] {
  const first = [...commands.keys()]
  const reply = (words: readonly string[]) => `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word"))`
  return [
    '_overture() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}"',
    `  if [ "$COMP_CWORD" = 1 ]; then ${reply(first)}`,
    `  elif [ "\${COMP_WORDS[1]}" = api ] && [ "$COMP_CWORD" = 2 ]; then ${reply(calls)}`,
    `  elif [ "\${COMP_WORDS[1]}" = help ] && [ "$COMP_CWORD" = 2 ]; then ${reply(first)}`,
    '  else COMPREPLY=($(compgen -f -- "$word")); fi',
    '}',
    'complete -F _overture overture',
  ]
}

function zshScript({ commands, calls }: Words): string[] {
  const first = [...commands.keys()]
  return [
    '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }',
    '_overture() {',
    `  if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ $words[2] == help ]] }; then compadd -- ${first.join(' ')}`,
    `  elif (( CURRENT == 3 )) && [[ $words[2] == api ]]; then compadd -- ${calls.join(' ')}`,
    '  else _files; fi',
    '}',
    'compdef _overture overture',
  ]
}

function fishScript({ commands, calls }: Words): string[] {
  const words = [...commands].map(
    ([name, description]) =>
      `complete -c overture -f -n __fish_use_subcommand -a ${name} -d '${description.replaceAll("'", '’')}'`,
  )
  const after = (name: string, words: readonly string[]) =>
    `complete -c overture -f -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) = 2' -a '${words.join(' ')}'`
  return [...words, after('api', calls), after('help', [...commands.keys()])]
}
