import { join } from 'node:path'
import { setAreaLookup, setDictionaryLookup } from '@zhugong/contract/settings/dict-field'
import { isAreaCode, isDictCode } from '@zhugong/contract/settings/dictionaries'
import { openCalls, signature } from '@zhugong/contract/telemetry/open-endpoints'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { type Clock, formatDay, systemClock } from '#kit/clock'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import { openApi } from '#kit/openapi'
import { createOutgoing } from '#kit/outgoing'
import { awayLimits, bodyLimits, RequestTurns, turnLimits, unlimitedTurns } from '#kit/request-turns'
import { createSecrets } from '#kit/secret'
import { createServe, type Serve } from '#kit/serve'
import './domains/access/tables.ts'
import './domains/advice/tables.ts'
import './domains/alarms/tables.ts'
import './domains/announcements/tables.ts'
import './domains/apps/tables.ts'
import './domains/campaigns/tables.ts'
import './domains/briefings/tables.ts'
import './domains/checks/tables.ts'
import './domains/civil/tables.ts'
import './domains/daychecks/tables.ts'
import './domains/docking/tables.ts'
import './domains/draw/tables.ts'
import './domains/dustchecks/tables.ts'
import './domains/equipment/tables.ts'
import './domains/experts/tables.ts'
import './domains/exports/tables.ts'
import './domains/files/tables.ts'
import './domains/home/tables.ts'
import './domains/identity/tables.ts'
import './domains/labour-alarms/tables.ts'
import './domains/houses/tables.ts'
import './domains/labour/tables.ts'
import './domains/linkage/tables.ts'
import './domains/machines/tables.ts'
import './domains/materials/tables.ts'
import './domains/schedule/tables.ts'
import './domains/measures/tables.ts'
import './domains/measuring/tables.ts'
import './domains/misconduct/tables.ts'
import './domains/monitoring/tables.ts'
import './domains/notify/tables.ts'
import './domains/onboarding/tables.ts'
import './domains/organisation/tables.ts'
import './domains/papers/tables.ts'
import './domains/personnel/tables.ts'
import './domains/places/tables.ts'
import './domains/plans/tables.ts'
import './domains/policies/tables.ts'
import './domains/prevention/tables.ts'
import './domains/process/tables.ts'
import './domains/rectify/tables.ts'
import './domains/reports/tables.ts'
import './domains/rules/tables.ts'
import './domains/quality/tables.ts'
import './domains/scoring/tables.ts'
import './domains/screens/tables.ts'
import './domains/settings/tables.ts'
import './domains/sheets/tables.ts'
import './domains/spotchecks/tables.ts'
import './domains/daylogs/tables.ts'
import './domains/documents/tables.ts'
import './domains/examine/tables.ts'
import './domains/themes/tables.ts'
import './domains/steps/tables.ts'
import './domains/fire/tables.ts'
import './domains/hazards/tables.ts'
import './domains/drivers/tables.ts'
import './domains/residence/tables.ts'
import './domains/stops/tables.ts'
import './domains/telemetry/tables.ts'
import './domains/tracks/tables.ts'
import './domains/upkeep/tables.ts'
import './domains/workflow/tables.ts'
import './domains/works/tables.ts'
import { auditRecorder, refusalRecorder } from '#domains/access/audit'
import { whyClosed } from '#domains/access/open-codes'
import { accessRoutes } from '#domains/access/routes'
import { adviceRoutes } from '#domains/advice/public'
import { alarmRoutes } from '#domains/alarms/routes'
import { announcementRoutes } from '#domains/announcements/public'
import { frameSources } from '#domains/apps/frames'
import { appRoutes } from '#domains/apps/routes'
import { attendanceRoutes } from '#domains/attendance/routes'
import { briefingRoutes } from '#domains/briefings/public'
import { campaignRoutes } from '#domains/campaigns/public'
import { checkRoutes } from '#domains/checks/public'
import { civilRoutes } from '#domains/civil/public'
import { dayCheckRoutes } from '#domains/daychecks/public'
import { dayLogRoutes } from '#domains/daylogs/public'
import { receiveDocking } from '#domains/docking/public'
import { dockingRoutes } from '#domains/docking/routes'
import { documentRoutes } from '#domains/documents/public'
import { driverRoutes } from '#domains/drivers/public'
import { dustRoutes } from '#domains/dustchecks/public'
import { dockingPush } from '#domains/equipment/public'
import { equipmentRoutes } from '#domains/equipment/routes'
import { examineRoutes } from '#domains/examine/public'
import { applyRoutes, expertRoutes, loggedSms } from '#domains/experts/public'
import { exportRoutes } from '#domains/exports/routes'
import { fileRoutes } from '#domains/files/routes'
import { countedUploads } from '#domains/files/uploads'
import { fireRoutes } from '#domains/fire/public'
import { hazardRoutes } from '#domains/hazards/public'
import { homeRoutes } from '#domains/home/routes'
import { houseRoutes } from '#domains/houses/public'
import { identityRoutes } from '#domains/identity/routes'
import { createAuthenticator } from '#domains/identity/sessions'
import { labourRoutes } from '#domains/labour/routes'
import { labourAlarmRoutes } from '#domains/labour-alarms/routes'
import { linkageRoutes } from '#domains/linkage/routes'
import { machineRoutes } from '#domains/machines/public'
import { materialRoutes } from '#domains/materials/public'
import { measureRoutes } from '#domains/measures/public'
import { measuringRoutes } from '#domains/measuring/public'
import { misconductRoutes } from '#domains/misconduct/public'
import { monitoringRoutes } from '#domains/monitoring/routes'
import { sendersFor } from '#domains/notify/public'
import { notifyRoutes } from '#domains/notify/routes'
import { onboardingRoutes } from '#domains/onboarding/routes'
import { organisationRoutes } from '#domains/organisation/routes'
import { paperRoutes } from '#domains/papers/public'
import { personnelRoutes } from '#domains/personnel/routes'
import { placeRoutes } from '#domains/places/public'
import { planRoutes } from '#domains/plans/public'
import { policyRoutes } from '#domains/policies/public'
import { preventionRoutes } from '#domains/prevention/routes'
import { processRoutes } from '#domains/process/public'
import { qualityRoutes } from '#domains/quality/public'
import { rectifyRoutes } from '#domains/rectify/public'
import { reportRoutes } from '#domains/reports/routes'
import { residenceRoutes } from '#domains/residence/public'
import { ruleRoutes } from '#domains/rules/routes'
import { scheduleRoutes } from '#domains/schedule/public'
import { scoringRoutes } from '#domains/scoring/public'
import { orDisplay } from '#domains/screens/displays'
import { screenRoutes } from '#domains/screens/routes'
import { loadOwnWords } from '#domains/settings/own-words'
import { savedSources } from '#domains/settings/pictures'
import type { DemoAccount } from '#domains/settings/profile'
import { loadAreaNames, version } from '#domains/settings/profile'
import { settingsRoutes } from '#domains/settings/routes'
import { sheetRoutes } from '#domains/sheets/public'
import { spotCheckRoutes } from '#domains/spotchecks/public'
import { stepRoutes } from '#domains/steps/public'
import { stopRoutes } from '#domains/stops/public'
import { forwardOpenCalls } from '#domains/telemetry/open-forward'
import { telemetryRoutes } from '#domains/telemetry/routes'
import { themeRoutes } from '#domains/themes/public'
import { trackRoutes } from '#domains/tracks/public'
import { upkeepRoutes } from '#domains/upkeep/public'
import { workflowRoutes } from '#domains/workflow/routes'
import { workRoutes } from '#domains/works/public'
import { registerExports } from './export-list.ts'
import { createWeb, describeRoutes } from './http.ts'
import { registerNoticeSources } from './notice-sources.ts'
import { measureReadiness, Readying } from './readiness.ts'
import { registerWorkKinds } from './work-kinds.ts'

const migrationsFolder = join(import.meta.dirname, '../migrations')

export interface ApiOptions {
  config: Config
  log: Log
  /** Two pools: `requests` for the transactions of requests, `system` for all other database work. */
  requests: Database
  system: Database
  clock?: Clock
  webRoot: string
  demoAccounts?: () => readonly DemoAccount[] | undefined
  /** For the isolation tests only: false disables the application checks, so that row-level security is tested alone. */
  scopeChecks?: boolean
  rateLimits?: boolean
  /** Queues background work for the jobs role. */
  enqueue?: (queue: string, data: { taskId: string }) => Promise<void>
  /** Requests a path of the ingest's local socket; undefined when it does not respond. The api is ready only if the ingest is. */
  askIngest?: (path: '/readyz' | '/metrics') => Promise<{ isOk: boolean; text: string } | undefined>
}

export interface Api {
  app: FastifyInstance
  serve: Serve
  metrics: Registry
}

/** Creates the api role: endpoints of all domains, health, metrics, OpenAPI and the web pages. */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { config, log, requests, system } = options
  const clock = options.clock ?? systemClock
  await loadAreaNames(system.kysely)
  await loadOwnWords(system.kysely)
  setDictionaryLookup(isDictCode)
  setAreaLookup(isAreaCode)
  const sources = savedSources(system.kysely, () => clock.now())
  await sources.read()
  const frames = frameSources(system.kysely, () => clock.now())
  await frames.read()
  const limited = options.rateLimits ?? true
  const { app, metrics } = await createWeb(config, log, {
    webRoot: options.webRoot,
    rateLimits: limited,
    pictures: sources.pictures,
    live: sources.live,
    frames: frames.sources,
  })
  const secrets = createSecrets(config.secretKey)
  const authenticate = createAuthenticator(system.kysely, clock)
  const turns = new RequestTurns(limited ? turnLimits : unlimitedTurns)
  const serve = createServe(app, {
    db: requests.kysely,
    system: system.kysely,
    clock,
    secrets,
    log,
    authenticate: orDisplay(system.kysely, clock, authenticate),
    recordAudit: auditRecorder(clock),
    recordRefusal: refusalRecorder(system.kysely, clock, log),
    whyClosed: async ({ group, user }, codes) =>
      group ? whyClosed(system.kysely, group, user.id, codes, formatDay(clock.now())) : undefined,
    turns,
    bodies: new RequestTurns(limited ? bodyLimits : unlimitedTurns),
    away: new RequestTurns(limited ? awayLimits : unlimitedTurns),
    uploads: countedUploads(system.kysely, clock, join(config.dataDir, 'incoming')),
    checkAnswers: config.checkAnswers,
    scopeChecks: options.scopeChecks ?? true,
  })

  const enqueue = options.enqueue ?? (async () => undefined)
  registerWorkKinds()
  registerNoticeSources()
  const senders = sendersFor(config)
  identityRoutes(serve, authenticate, senders)
  reportRoutes(serve, senders)
  dockingRoutes(serve, createOutgoing(config, 'upward'))
  receiveDocking(app, { db: system.kysely, clock, secrets })
  accessRoutes(serve)
  appRoutes(serve, frames.read)
  settingsRoutes(serve, config, options.demoAccounts ?? (() => undefined), sources.read, senders)
  organisationRoutes(serve)
  onboardingRoutes(serve, enqueue, config.publicUrl?.replace(/\/+$/, '') ?? '')
  labourRoutes(serve)
  personnelRoutes(serve, enqueue, { authenticate, sms: senders.sms, publicUrl: config.publicUrl })
  attendanceRoutes(serve)
  labourAlarmRoutes(serve)
  preventionRoutes(serve)
  telemetryRoutes(serve, { config })
  monitoringRoutes(serve, enqueue, createOutgoing(config, 'media'), config)
  equipmentRoutes(serve, config)
  alarmRoutes(serve)
  processRoutes(serve)
  placeRoutes(serve)
  rectifyRoutes(serve)
  checkRoutes(serve)
  dayCheckRoutes(serve)
  dustRoutes(serve)
  planRoutes(serve)
  measureRoutes(serve)
  measuringRoutes(serve)
  houseRoutes(serve)
  materialRoutes(serve)
  scheduleRoutes(serve)
  stepRoutes(serve)
  briefingRoutes(serve)
  spotCheckRoutes(serve)
  dayLogRoutes(serve)
  examineRoutes(serve)
  hazardRoutes(serve)
  fireRoutes(serve)
  driverRoutes(serve)
  residenceRoutes(serve)
  themeRoutes(serve)
  documentRoutes(serve, join(config.dataDir, 'files'))
  paperRoutes(serve)
  stopRoutes(serve)
  sheetRoutes(serve)
  scoringRoutes(serve)
  qualityRoutes(serve)
  civilRoutes(serve)
  policyRoutes(serve)
  announcementRoutes(serve)
  adviceRoutes(serve)
  expertRoutes(serve)
  misconductRoutes(serve, config.publicUrl)
  trackRoutes(serve)
  campaignRoutes(serve)
  applyRoutes(serve, senders.sms ?? (config.demo ? loggedSms(log) : undefined), join(config.dataDir, 'files'))
  ruleRoutes(serve)
  linkageRoutes(serve)
  workflowRoutes(serve)
  workRoutes(serve)
  machineRoutes(serve)
  upkeepRoutes(serve)
  notifyRoutes(serve, {
    pool: system.pool,
    ready: { '1': true, '2': config.smsUrl !== undefined, '4': config.smtpUrl !== undefined },
  })
  forwardOpenCalls(
    app,
    config,
    async (appId) => (await system.pool.query('select 1 from open_app where id = $1', [appId])).rows.length > 0,
    () => clock.now(),
  )
  dockingPush(app, {
    pool: system.pool,
    outgoing: createOutgoing(config, 'docking'),
    secrets,
    log,
    ingestSocket: config.ingestSocket,
    now: () => clock.now(),
  })
  fileRoutes(serve, { files: join(config.dataDir, 'files'), parts: join(config.dataDir, 'parts') }, authenticate)
  homeRoutes(serve)
  screenRoutes(serve)
  registerExports(config.publicUrl)
  exportRoutes(serve, enqueue, authenticate)

  app.get('/healthz', () => ({ status: 'ok' }))
  const readying = new Readying({ requests, system, turns, dataDir: config.dataDir, migrationsFolder, askIngest: options.askIngest })
  measureReadiness(readying, metrics)
  app.get('/readyz', async (_request, reply) => {
    const found = await readying.look()
    return reply.code(found.status === 'ready' ? 200 : 503).send(found)
  })
  /** Metrics of api and ingest, including whether the ingest responded. */
  const measure = async () => {
    const own = await metrics.metrics()
    if (!options.askIngest) return own
    const result = await options.askIngest('/metrics')
    const ingest = result?.isOk ? result.text : undefined
    return `${own}# HELP zhugong_ingest_up Whether the ingest answers\n# TYPE zhugong_ingest_up gauge\nzhugong_ingest_up ${ingest ? 1 : 0}\n${ingest ?? ''}`
  }
  describeRoutes(app, config, measure, () => openApi([...serve.endpoints, ...openCalls], config.publicUrl ?? '/', version, signature))
  return { app, serve, metrics }
}
