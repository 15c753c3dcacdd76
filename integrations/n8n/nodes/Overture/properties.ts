import type { INodeProperties } from 'n8n-workflow'
import { resources, type Field, type Operation } from './operation'
import { operations } from './operations'

/** The properties that the node shows: resources, their operations, and the required and additional fields of each. */
export function nodeProperties(): INodeProperties[] {
  const shown = Object.keys(resources)
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: Object.entries(resources).map(([value, name]) => ({ name, value })),
      default: 'campaign',
    },
    ...shown.map((resource) => operationProperty(resource)),
    ...operations.flatMap(fieldProperties),
  ]
}

function operationProperty(resource: string): INodeProperties {
  const own = operations.filter((one) => one.resource === resource)
  const property: INodeProperties = {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: own.map(({ name, value, action }) => ({ name, value, action })),
    default: '',
  }
  return { ...property, default: own[0].value }
}

function fieldProperties(operation: Operation): INodeProperties[] {
  const show = { resource: [operation.resource], operation: [operation.value] }
  const optional = operation.fields.filter(({ required }) => required !== true)
  return [
    ...operation.fields
      .filter(({ required }) => required === true)
      .map((field) => ({ ...toProperty(field), required: true, displayOptions: { show } })),
    ...(operation.isList === true ? pageProperties(show) : []),
    ...(optional.length > 0
      ? [
          {
            displayName: 'Additional Fields',
            name: 'additionalFields',
            type: 'collection' as const,
            placeholder: 'Add Field',
            default: {},
            displayOptions: { show },
            options: optional.map(toProperty),
          },
        ]
      : []),
  ]
}

function pageProperties(show: Record<string, string[]>): INodeProperties[] {
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      displayOptions: { show },
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 50,
      description: 'Max number of results to return',
      displayOptions: { show: { ...show, returnAll: [false] } },
    },
  ]
}

const defaults = { string: '', text: '', number: 0, boolean: false, json: '', dateTime: '' } as const

function toProperty({ name, label, type, description }: Field): INodeProperties {
  const isLead = name === 'leads' && label === 'Lead'
  return {
    displayName: label,
    name,
    type: type === 'text' ? 'string' : type,
    default: isLead ? '={{ $json }}' : defaults[type],
    ...(type === 'text' && { typeOptions: { rows: 4 } }),
    ...(description !== undefined && { description }),
  }
}
