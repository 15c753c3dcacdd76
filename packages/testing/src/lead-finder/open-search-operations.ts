import type { API } from '@opensearch-project/opensearch'
import type { OperationContainer } from '@opensearch-project/opensearch/api/_types/_core.bulk.js'

/**
 * The operations that the adapter uses, typed by OpenSearch's own client, whose types are generated from the API specification.
 * `open-search-description.ts` converts them to schemas.
 */
export type SearchRequest = Operation<API.Search_Request>
export type SearchAnswer = API.Search_ResponseBody
export type BulkRequest = Operation<API.Bulk_Request>
export type BulkAction = OperationContainer
export type BulkAnswer = API.Bulk_ResponseBody
export type CountRequest = Operation<API.Count_Request>
export type CountAnswer = API.Count_ResponseBody
export type HealthRequest = Operation<API.Cluster_Health_Request>
export type HealthAnswer = API.Cluster_Health_ResponseBody
export type CreateIndexRequest = Operation<API.Indices_Create_Request>
export type CreateIndexAnswer = API.Indices_Create_ResponseBody
export type DeleteIndexRequest = Operation<API.Indices_Delete_Request>
export type DeleteIndexAnswer = API.Indices_Delete_ResponseBody
export type GetAliasRequest = Operation<API.Indices_GetAlias_Request>
export type GetAliasAnswer = API.Indices_GetAlias_ResponseBody
export type UpdateAliasesRequest = Operation<API.Indices_UpdateAliases_Request>
export type UpdateAliasesAnswer = API.Indices_UpdateAliases_ResponseBody
export type GetMappingRequest = Operation<API.Indices_GetMapping_Request>
export type GetMappingAnswer = API.Indices_GetMapping_ResponseBody
export type PutMappingRequest = Operation<API.Indices_PutMapping_Request>
export type PutMappingAnswer = API.Indices_PutMapping_ResponseBody
export type RefreshRequest = Operation<API.Indices_Refresh_Request>
export type RefreshAnswer = API.Indices_Refresh_ResponseBody

/** `parameters` are the query parameters, `body` is the JSON that is sent. */
interface Operation<Request> {
  parameters: Omit<Request, 'body'>
  body?: Request extends { body?: infer Body } ? Body : never
}
