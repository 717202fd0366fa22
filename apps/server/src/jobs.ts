import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { setAreaLookup, setDictionaryLookup } from '@zhugong/contract/settings/dict-field'
import { isAreaCode, isDictCode } from '@zhugong/contract/settings/dictionaries'
import { PgBoss } from 'pg-boss'
import { compareAll, startSending } from '#domains/docking/public'
import { startDeviceDays, startDockings, startGateSync } from '#domains/equipment/public'
import { exportQueue, runExport } from '#domains/exports/run-export'
import { turnBlackLists, turnContractFlags } from '#domains/labour/public'
import { keepLabourAlarms, tellLabourAlarms } from '#domains/labour-alarms/public'
import { startLinkage } from '#domains/linkage/public'
import { watchCycles } from '#domains/monitoring/cycles/watch'
import { forgetHelmetPlaces } from '#domains/monitoring/helmet-places'
import { openSurveys, surveyQueue, surveyRetries, writeSurvey } from '#domains/monitoring/survey/write'
import { sendersFor, startNotices } from '#domains/notify/public'
import { openingQueue, openOpenings, runOpening } from '#domains/onboarding/opening/run'
import { dropOldCells, importQueue, openImports, runImport } from '#domains/personnel/import/run'
import { forgetTemperatures, keepTempAlarms, tellTempAlarms } from '#domains/prevention/public'
import { turnReports } from '#domains/reports/turns'
import { followOwnWords } from '#domains/settings/own-words'
import { loadAreaNames } from '#domains/settings/profile'
import { adoptWaiting, turnLate } from '#domains/workflow/public'
import { systemClock } from '#kit/clock'
import type { Config } from '#kit/config'
import { asRuntime, openDatabase } from '#kit/db'
import type { Log } from '#kit/log'
import { createOutgoing } from '#kit/outgoing'
import { createSecrets } from '#kit/secret'
import { startDemoUpper } from './docking-upper/demo-upper.ts'
import { registerExports } from './export-list.ts'
import { forgetPictures } from './forget-pictures.ts'
import { registerWorkKinds } from './work-kinds.ts'

/** Exports that may run at once in one jobs process. */
const exportsAtOnce = 2
/** Rows a second that the demonstration hands up. */
const demoPerSecond = 20

export interface Jobs {
  stop(): Promise<void>
}

/** The jobs role: exports and clean-up now; whatever else may wait and must not be lost. */
export async function startJobs(config: Config, log: Log): Promise<Jobs> {
  setDictionaryLookup(isDictCode)
  setAreaLookup(isAreaCode)
  registerExports()
  registerWorkKinds()
  const clock = systemClock
  const database = openDatabase(config.databaseUrl ?? '', {
    max: 8,
    name: 'zhugong-jobs',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  await loadAreaNames(database.kysely)
  const words = followOwnWords(database.kysely, config.databaseUrl ?? '', 'zhugong-jobs-words', log)
  const boss = new PgBoss({
    connectionString: config.databaseUrl ?? '',
    application_name: 'zhugong-boss',
    max: 4,
    ...asRuntime,
    createSchema: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  await boss.createQueue(exportQueue, { retryLimit: 2 })
  const deps = { database, clock, secrets: createSecrets(config.secretKey), log, folder: join(config.dataDir, 'exports') }
  // What was running when the process ended starts again from the beginning: the file is written anew.
  const unfinished = await database.kysely.selectFrom('exportTask').select('id').where('status', '=', exportStatus.running).execute()
  for (const task of unfinished) await boss.send(exportQueue, { taskId: task.id }, { singletonKey: task.id })
  await boss.work<{ taskId: string }>(exportQueue, { localConcurrency: exportsAtOnce, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await runExport(deps, job.data.taskId)
  })
  await boss.createQueue(importQueue, { retryLimit: 2 })
  for (const id of await openImports(deps)) await boss.send(importQueue, { taskId: id })
  await boss.work<{ taskId: string }>(importQueue, { localConcurrency: 1, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await runImport(deps, job.data.taskId)
  })
  const surveys = { database, clock, log, ingestSocket: config.ingestSocket }
  await boss.createQueue(surveyQueue, surveyRetries)
  for (const id of await openSurveys(surveys)) await boss.send(surveyQueue, { taskId: id })
  await boss.work<{ taskId: string }>(surveyQueue, { localConcurrency: 1, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await writeSurvey(surveys, job.data.taskId)
  })
  await boss.createQueue(openingQueue, { retryLimit: 2 })
  for (const id of await openOpenings(deps)) await boss.send(openingQueue, { taskId: id })
  await boss.work<{ taskId: string }>(openingQueue, { localConcurrency: 1, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await runOpening(deps, job.data.taskId)
  })
  await boss.createQueue('clean-up')
  await boss.schedule('clean-up', '17 * * * *')
  await boss.work('clean-up', async () => {
    await cleanUp(deps)
    await dropOldCells(deps)
    await forgetTemperatures(database.kysely, clock)
    await forgetHelmetPlaces(database.kysely, clock)
    const forgotten = await forgetPictures(database.kysely, join(config.dataDir, 'files'), clock.now())
    if (Object.values(forgotten).some((n) => n > 0)) log.info(forgotten, 'pictures whose days were over are gone')
    // One whose message was lost between the commit and the queue.
    for (const id of await openImports(deps)) await boss.send(importQueue, { taskId: id })
    for (const id of await openOpenings(deps)) await boss.send(openingQueue, { taskId: id })
    for (const id of await openSurveys(surveys)) await boss.send(surveyQueue, { taskId: id })
  })
  await boss.createQueue('contract-flags')
  await boss.schedule('contract-flags', '7 * * * *')
  await boss.work('contract-flags', async () => {
    await turnContractFlags(database.kysely, clock.now())
    await turnBlackLists(database.kysely, clock.now())
  })
  await boss.createQueue('labour-alarms')
  await boss.schedule('labour-alarms', '*/10 * * * *')
  await boss.work('labour-alarms', async () => {
    await keepLabourAlarms(database.kysely, clock)
    await tellLabourAlarms(database, clock)
  })
  // Not to wait for the first ten minutes: a product that has just come up tells what holds.
  await boss.send('labour-alarms', {}, { singletonKey: 'start' })
  await boss.createQueue('temp-alarms')
  await boss.schedule('temp-alarms', '* * * * *')
  await boss.work('temp-alarms', async () => {
    await keepTempAlarms(database.kysely, clock)
    await tellTempAlarms(database, clock)
  })
  await boss.createQueue('approvals')
  await boss.schedule('approvals', '* * * * *')
  await boss.work('approvals', async () => {
    const background = { db: database.kysely, clock, secrets: deps.secrets, log }
    await adoptWaiting(background)
    await turnLate(background)
  })
  await boss.send('approvals', {}, { singletonKey: 'start' })
  await boss.createQueue('reports')
  await boss.schedule('reports', '* * * * *')
  const senders = sendersFor(config)
  await boss.work('reports', { pollingIntervalSeconds: 1 }, async () => {
    // One turn sends a portion: whatever is left over does not wait for the next minute.
    while ((await turnReports({ ...deps, senders })) > 0);
  })
  const sendingUp = {
    database,
    clock,
    secrets: deps.secrets,
    log,
    outgoing: createOutgoing(config, 'upward'),
    // The demonstration's city shares its machine with whoever looks at it.
    perSecond: config.demo ? demoPerSecond : undefined,
  }
  const above = config.demo ? await startDemoUpper(database.kysely, config.dataDir) : undefined
  const sending = startSending(sendingUp)
  await boss.createQueue('docking-compare')
  await boss.schedule('docking-compare', '23 * * * *')
  await boss.work('docking-compare', () => compareAll(sendingUp))
  const cycles = watchCycles(database.pool, log)
  const dockings = startDockings({
    pool: database.pool,
    outgoing: createOutgoing(config, 'docking'),
    secrets: deps.secrets,
    log,
    ingestSocket: config.ingestSocket,
    now: () => clock.now(),
  })
  const gateSync = startGateSync({ pool: database.pool, log, ingestSocket: config.ingestSocket, now: () => clock.now() })
  const deviceDays = startDeviceDays(database.pool, log, () => clock.now())
  const notices = startNotices(
    { pool: database.pool, secrets: deps.secrets, log, senders, now: () => clock.now() },
    config.databaseUrl ?? '',
  )
  const linkage = startLinkage({
    database,
    databaseUrl: config.databaseUrl ?? '',
    log,
    ingestSocket: config.ingestSocket,
    now: () => clock.now(),
  })
  return {
    async stop() {
      await Promise.all([notices.stop(), linkage.stop(), sending.stop(), words.stop()])
      await above?.stop()
      await cycles.stop()
      await Promise.all([dockings.stop(), deviceDays.stop(), gateSync.stop()])
      await boss.stop({ graceful: true, timeout: 5_000 })
      await database.close()
    },
  }
}

/** Exports past their time, and sessions that ended. */
async function cleanUp({ database, clock }: { database: ReturnType<typeof openDatabase>; clock: { now(): number } }): Promise<void> {
  const now = new Date(clock.now())
  const expired = await database.kysely.deleteFrom('exportTask').where('expireTime', '<', now).returning('path').execute()
  for (const { path } of expired) if (path) rmSync(path, { force: true })
  await database.kysely.deleteFrom('session').where('hardExpiresAt', '<', now).execute()
}
