import { useId } from 'react'
import { buildPaths } from '../paths.ts'
import { useEnvironment, type Environment } from '../platform/api/environment.tsx'
import { useGo } from '../platform/ui/index.ts'
import { keep } from '../platform/session/preferences.ts'
import { text } from './shell.messages.ts'
import styles from './shell.module.css'

const environments = ['test', 'live'] as const

/** Another environment has another URL and its own Home. */
export function EnvironmentSwitch() {
  const environment = useEnvironment()
  const go = useGo()
  const change = (next: Environment): void => {
    keep('environment', next)
    go(buildPaths(next).home)
  }
  const name = useId()
  return (
    <div role="radiogroup" aria-label={text.environment} className={styles['environment']}>
      {environments.map((one) => (
        <label key={one} data-environment={one} className={styles['option']}>
          <input type="radio" name={name} value={one} checked={one === environment} onChange={() => change(one)} />
          {text[one]}
        </label>
      ))}
    </div>
  )
}
