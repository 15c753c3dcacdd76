import { hasRole, type Role } from './roles.ts'

/**
 * The operations that need more than the role `viewer`, for the console, which can't load the endpoints. A test compares the lists with
 * the endpoints.
 */
export const operationsOfRole = {
  member: [
    'addCampaignLeads',
    'advanceSandboxClock',
    'approveText',
    'bulkDeleteCampaigns',
    'bulkDeletePromptPresets',
    'bulkUpdateCampaignLeads',
    'bulkUpdateConversations',
    'checkTexts',
    'copyCampaign',
    'createApiKey',
    'createCampaign',
    'createMeeting',
    'createNote',
    'createPromptPreset',
    'createSandboxInbound',
    'createSuppression',
    'createTemplate',
    'createVerification',
    'deleteCampaign',
    'deleteMeeting',
    'deleteNote',
    'deletePromptPreset',
    'deleteTemplate',
    'editText',
    'generateEmail',
    'generatePreview',
    'importCampaignLeads',
    'importSuppressions',
    'inspectImport',
    'launchCampaign',
    'pauseCampaign',
    'previewMessage',
    'previewTemplate',
    'rejectText',
    'replyToConversation',
    'replyToLead',
    'resolveDelivery',
    'resolveReturned',
    'resumeCampaign',
    'revealField',
    'revokeApiKey',
    'searchCompanies',
    'searchPeople',
    'sendNow',
    'sendSignals',
    'sendTestMessage',
    'setSandboxClock',
    'startCampaign',
    'updateAvailability',
    'updateCampaign',
    'updateCampaignLead',
    'updateCompanyLeads',
    'updateConversation',
    'updateMeeting',
    'updatePerson',
    'updatePromptPreset',
    'updateTemplate',
    'uploadDmarcReport',
    'withdrawReply',
  ],
  admin: [
    'authorizeSendingAccount',
    'connectTenant',
    'connectTenantMailboxes',
    'convertSendingAccount',
    'createCheckout',
    'createInvitation',
    'createSendingAccount',
    'createWebhook',
    'deleteInvitation',
    'deleteSendingAccount',
    'deleteSuppression',
    'deleteTenantConnection',
    'deleteUser',
    'deleteWebhook',
    'discoverSendingAccount',
    'erasePerson',
    'exportAuditLog',
    'exportPerson',
    'getContactPolicy',
    'listAuditLog',
    'listInvitations',
    'pauseSendingAccount',
    'previewContactPolicy',
    'redeliverWebhook',
    'resumeSendingAccount',
    'rotateWebhookSecret',
    'testWebhook',
    'updateAccount',
    'updateContactPolicy',
    'updateSendingAccount',
    'updateUser',
    'updateWebhook',
    'verifySendingAccount',
    'verifyTenantConnection',
  ],
  owner: [],
} as const

export type RestrictedOperation = (typeof operationsOfRole)[keyof typeof operationsOfRole][number]

/** The role that an operation needs. */
export function roleOfOperation(operation: RestrictedOperation): Role {
  const found = (['member', 'admin', 'owner'] as const).find((role) =>
    (operationsOfRole[role] as readonly string[]).includes(operation),
  )
  return found ?? 'viewer'
}

/** The role that a user lacks for an operation; null if the user may do it. */
export function missingRole(role: Role, operation: RestrictedOperation): Role | null {
  const required = roleOfOperation(operation)
  return hasRole(role, required) ? null : required
}
