import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'

/** `overture completion bash`: what a shell needs to complete commands and calls. */
export function registerCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('Print a script that completes commands: eval "$(overture completion bash)"; also zsh')
    .action((shell: string) => {
      if (shell !== 'bash' && shell !== 'zsh') throw new InvalidArgumentError('One of bash, zsh is needed.')
      console.log(
        script(
          shell,
          program.commands.map((command) => command.name()),
        ),
      )
    })
}

function script(shell: 'bash' | 'zsh', commandNames: readonly string[]): string {
  const calls = allEndpoints.map(({ call }) => call).join(' ')
  const lines = [
    '_overture() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}"',
    `  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${commandNames.join(' ')}" -- "$word"))`,
    `  elif [ "\${COMP_WORDS[1]}" = api ] && [ "$COMP_CWORD" = 2 ]; then COMPREPLY=($(compgen -W "${calls}" -- "$word"))`,
    '  else COMPREPLY=($(compgen -f -- "$word")); fi',
    '}',
    'complete -F _overture overture',
  ]
  return (shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit', ...lines] : lines).join('\n')
}
