/** `overture/testing`: the real server for anybody's tests. */
export {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@overture/server/composition/test-server.shell.ts'
