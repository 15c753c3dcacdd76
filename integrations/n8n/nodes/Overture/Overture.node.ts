import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow'
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow'
import { addLeads } from './add-leads'
import { findOperation } from './operations'
import { nodeProperties } from './properties'
import { perform } from './request'

export class Overture implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Overture',
    name: 'overture',
    icon: { light: 'file:overture.svg', dark: 'file:overture.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Work with campaigns, leads and conversations in Overture',
    defaults: { name: 'Overture' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'overtureApi', required: true }],
    properties: nodeProperties(),
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const resource = this.getNodeParameter('resource', 0) as string
    const operation = findOperation(resource, this.getNodeParameter('operation', 0) as string)
    if (operation === undefined) throw new NodeOperationError(this.getNode(), 'Unknown operation. Choose another one.')
    if (resource === 'lead' && operation.value === 'add') return [await addLeads(this, operation)]
    const answers: INodeExecutionData[] = []
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        for (const json of await perform(this, operation, item)) answers.push({ json, pairedItem: { item } })
      } catch (error) {
        if (!this.continueOnFail()) throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: item })
        answers.push({ json: { error: (error as Error).message }, pairedItem: { item } })
      }
    }
    return [answers]
  }
}
