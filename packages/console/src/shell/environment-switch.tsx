import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { pathsOf } from '../paths.ts'
import { useEnvironment, type Environment } from '../platform/api/environment.tsx'
import { useGo } from '../platform/ui/index.ts'
import { keep } from '../platform/session/preferences.ts'
import { text } from './shell.messages.ts'
import styles from './shell.module.css'

const environments = ['test', 'live'] as const

/** Another environment is another URL, with its own Home. */
export function EnvironmentSwitch() {
  const environment = useEnvironment()
  const go = useGo()
  const change = (next: Environment): void => {
    keep('environment', next)
    go(pathsOf(next).home)
  }
  return (
    <RadioGroup
      aria-label={text.environment}
      value={environment}
      onValueChange={(next) => change(next as Environment)}
      className={styles['environment']}
    >
      {environments.map((one) => (
        <Radio.Root key={one} value={one} data-environment={one} className={styles['option']} aria-label={text[one]}>
          {text[one]}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
