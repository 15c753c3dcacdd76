/** A double of the package `n8n-workflow` with the parts that the nodes use at run time. The package itself depends on n8n's server. */

interface NodeNamed {
  name: string
}

class NodeError extends Error {
  readonly node: NodeNamed
  constructor(node: NodeNamed, message: string) {
    super(message)
    this.node = node
  }
}

/** Like n8n's class: an error of a node is passed on unchanged instead of wrapped again. */
export class NodeOperationError extends NodeError {
  override readonly name = 'NodeOperationError'
  constructor(node: NodeNamed, error: Error | string, _options: { itemIndex?: number } = {}) {
    super(node, typeof error === 'string' ? error : error.message)
    // n8n's constructor also returns another object.
    // oxlint-disable-next-line no-constructor-return
    if (error instanceof NodeError) return error as this
  }
}

interface FailedRequest {
  message: string
  response?: { status: number; data?: { error?: { code: string; message: string } } }
}

export class NodeApiError extends NodeError {
  override readonly name = 'NodeApiError'
  readonly httpCode: string | null
  constructor(node: NodeNamed, error: FailedRequest) {
    const problem = error.response?.data?.error
    super(node, problem === undefined ? error.message : `${problem.code}: ${problem.message}`)
    this.httpCode = error.response === undefined ? null : String(error.response.status)
    // oxlint-disable-next-line no-constructor-return
    if (error instanceof NodeError) return error as unknown as this
  }
}

export const NodeConnectionTypes = { Main: 'main' } as const
