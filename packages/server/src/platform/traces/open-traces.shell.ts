import { newId } from '../ids.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../log.shell.ts'
import { startTracing } from './traces.shell.ts'

/** If traces are off, their modules are not loaded, and there is nothing to stop. */
export async function openTraces({ traces }: Config, log: Logger): Promise<{ stop(): Promise<void> | void }> {
  if (traces === null) return { stop: () => undefined }
  const { createSpanExporter } = await import('./otlp-exporter.client.ts')
  const exporter = createSpanExporter({ config: traces, log, instance: newId('req') })
  const end = startTracing({ sink: exporter.sink, share: traces.share })
  return {
    async stop() {
      end()
      await exporter.stop()
    },
  }
}
