/** Who may import whom: app -> domains -> kit -> contract -> zod, in server and web alike; the two never meet. */
module.exports = {
  forbidden: [
    // Type imports and dynamic imports count as well: move a type that two files share into a file of its own.
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'neighbours-only-by-the-front-door',
      comment: 'A domain reaches another only through its public.ts(x).',
      severity: 'error',
      // Tests may import any file of another domain; product code may not.
      from: { path: '^apps/([^/]+)/src/domains/([^/]+)/', pathNot: '(\\.test|\\.fixtures|-for-test)\\.tsx?$' },
      to: { path: '^apps/$1/src/domains/', pathNot: ['^apps/$1/src/domains/$2/', '/public\\.tsx?$', '/registry\\.ts$', '/tables\\.ts$'] },
    },
    {
      name: 'test-data-stays-in-tests',
      comment: 'Product code imports neither fixtures nor test helpers.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/', pathNot: '(\\.test|\\.fixtures|-for-test)\\.tsx?$' },
      to: { path: '(\\.fixtures|-for-test)\\.ts$|^apps/[^/]+/test/' },
    },
    {
      name: 'kit-knows-no-domain',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/kit/' },
      to: { path: '^apps/[^/]+/src/(domains|app|demo)/' },
    },
    {
      name: 'contract-stands-alone',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^(apps|packages/simulator|e2e)/' },
    },
    {
      name: 'contract-needs-zod-only',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev'], pathNot: 'node_modules/zod' },
    },
    { name: 'apps-never-meet', severity: 'error', from: { path: '^apps/server/' }, to: { path: '^apps/web/' } },
    { name: 'apps-never-meet-either', severity: 'error', from: { path: '^apps/web/' }, to: { path: '^apps/server/' } },
    {
      name: 'simulator-plays-the-devices',
      comment: 'Only the demonstration, tests and benchmarks import the simulator; it talks to the server over sockets.',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: ['^apps/server/src/demo/', '(\\.test|\\.fixtures|-for-test)\\.ts$'] },
      to: { path: '^packages/simulator/' },
    },
    { name: 'simulator-knows-no-server', severity: 'error', from: { path: '^packages/simulator/' }, to: { path: '^apps/' } },
    {
      name: 'domains-know-no-app',
      severity: 'error',
      from: { path: '^apps/server/src/domains/', pathNot: '(\\.test|\\.fixtures|-for-test)\\.ts$' },
      to: { path: '^apps/server/src/(demo/|api|main|roles|jobs|ingest)' },
    },
    {
      name: 'video-encoder-in-the-demonstration-only',
      comment: 'Production code neither encodes H.264 nor contains code under its licences.',
      severity: 'error',
      from: { pathNot: '^apps/server/src/demo/' },
      to: { path: 'node_modules/h264-mp4-encoder' },
    },
    {
      name: 'workbooks-behind-the-kit',
      comment: 'The workbook library stays replaceable: read with kit/sheet-rows.ts, write with kit/sheet-write.ts.',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: ['^apps/server/src/kit/sheet-', '\\.test\\.ts$'] },
      to: { path: 'node_modules/hucre' },
    },
    {
      name: 'contexts-made-by-the-kit',
      comment: 'Only kit builds a context: a context built by hand would lose its afterCommit callbacks.',
      severity: 'error',
      from: { pathNot: '^apps/server/src/kit/(context|in-transaction|background)\\.ts$' },
      to: { path: '^apps/server/src/kit/context-mark\\.ts$' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(virtual:|node:)' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'] },
  },
}
