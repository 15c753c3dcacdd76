/** `overture/testing`: the real server, for tests of other projects. */
export {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@overture/server/composition/test-server.shell.ts'
