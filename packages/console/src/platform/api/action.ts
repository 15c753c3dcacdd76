import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Overture } from '@overture/sdk'
import { useApi, useEnvironment } from './environment.tsx'

export interface ActionOptions<Input, Output> {
  act: (api: Overture, input: Input) => PromiseLike<Output>
  /** What is no longer as it was read. */
  stale?: (input: Input, output: Output) => readonly (readonly unknown[])[]
  /** Its answer is what is looked at: it is there before what is stale was read again. */
  answerFirst?: boolean
  done?: (output: Output, input: Input) => void
}

/** Something that is written. What it refuses is in `error`, for the place where it belongs. */
export function useAction<Input = void, Output = unknown>(options: ActionOptions<Input, Output>) {
  const { act, stale, done, answerFirst = false } = options
  const api = useApi()
  const environment = useEnvironment()
  const client = useQueryClient()
  return useMutation<Output, Error, Input>({
    mutationFn: async (input) => act(api, input),
    onSuccess: async (output, input) => {
      done?.(output, input)
      const keys = stale?.(input, output) ?? []
      const fresh = Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [environment, ...key] })))
      if (!answerFirst) await fresh
    },
  })
}
