export { themeRoutes } from './calls.ts'
export { inspectTypeFor } from './check-writes.ts'
export { registerThemeExports } from './export.ts'
export { campaignPage, campaignType, themePatrol, todosOf as campaignTodos, unpassedResumeChecks } from './kind.ts'
