import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

export class OvertureApi implements ICredentialType {
  name = 'overtureApi'

  displayName = 'Overture API'

  documentationUrl = 'https://overture.example/docs/automations'

  icon = { light: 'file:../nodes/Overture/overture.svg', dark: 'file:../nodes/Overture/overture.dark.svg' } as const

  properties: INodeProperties[] = [
    {
      displayName: 'Server',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://overture.example.com',
      description: 'The URL of your Overture server, without a path',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      placeholder: 'ovt_test_…',
      description: 'A test key works only in the test environment, where no real mail is sent',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v2/account' },
  }
}
