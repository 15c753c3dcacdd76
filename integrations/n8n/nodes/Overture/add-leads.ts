import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow'
import { NodeOperationError } from 'n8n-workflow'
import type { Operation } from './operation'
import { ask, buildIdempotencyKey, buildRequest } from './request'

const leadsMax = 1_000

interface Batch {
  path: string
  rest: IDataObject
  leads: IDataObject[]
  /** The index of the item that each lead came from. */
  indexes: number[]
}

/** Sends items of the same campaign in one call, a thousand at most, and returns each item's own result. */
export async function addLeads(functions: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
  const answers: INodeExecutionData[] = []
  for (const { path, rest, leads, indexes } of splitBatches(functions, operation, answers)) {
    const body = { ...rest, leads }
    try {
      const { results } = await ask(functions, {
        method: 'POST',
        path,
        body,
        idempotencyKey: buildIdempotencyKey(functions, [indexes, path, body]),
      })
      for (const result of results as IDataObject[])
        answers.push({ json: result, pairedItem: { item: indexes[result.index as number] } })
    } catch (error) {
      if (!functions.continueOnFail()) throw new NodeOperationError(functions.getNode(), error as Error)
      for (const item of indexes) answers.push({ json: { error: (error as Error).message }, pairedItem: { item } })
    }
  }
  return answers.sort((one, other) => pairedIndex(one) - pairedIndex(other))
}

function splitBatches(functions: IExecuteFunctions, operation: Operation, answers: INodeExecutionData[]): Batch[] {
  const batches: Batch[] = []
  for (let index = 0; index < functions.getInputData().length; index++) {
    try {
      const { path, body } = buildRequest(functions, operation, index)
      const { leads: lead, ...rest } = body
      const same = (one: Batch) => one.path === path && one.rest.onDuplicate === rest.onDuplicate
      let batch = batches.find((one) => same(one) && one.leads.length < leadsMax)
      if (batch === undefined) batches.push((batch = { path, rest, leads: [], indexes: [] }))
      batch.leads.push(lead as IDataObject)
      batch.indexes.push(index)
    } catch (error) {
      if (!functions.continueOnFail())
        throw new NodeOperationError(functions.getNode(), error as Error, { itemIndex: index })
      answers.push({ json: { error: (error as Error).message }, pairedItem: { item: index } })
    }
  }
  return batches
}

function pairedIndex({ pairedItem }: INodeExecutionData): number {
  return (pairedItem as { item: number }).item
}
