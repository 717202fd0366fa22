import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { setAreaLookup, setDictionaryLookup } from '@zhugong/contract/settings/dict-field'
import { isAreaCode, isDictCode } from '@zhugong/contract/settings/dictionaries'
import { PgBoss, type Queue } from 'pg-boss'
import { closeAnswered } from '#domains/advice/public'
import { startAlarmNotices } from '#domains/alarm-notices/public'
import { turnAnnouncements } from '#domains/announcements/public'
import { compareAll, startSending } from '#domains/docking/public'
import { clearBins } from '#domains/documents/public'
import { endLicences } from '#domains/drivers/public'
import { startDeviceDays, startDockings, startGateSync } from '#domains/equipment/public'
import { endTerms, forgetApplications, passSilent, showNames } from '#domains/experts/public'
import { exportQueue, runExport } from '#domains/exports/run-export'
import { forgetParts } from '#domains/files/public'
import { endOverdue } from '#domains/hazards/public'
import { turnBlackLists, turnContractFlags } from '#domains/labour/public'
import { keepLabourAlarms, tellLabourAlarms } from '#domains/labour-alarms/public'
import { startLinkage } from '#domains/linkage/public'
import { measureLadder } from '#domains/measures/public'
import { endPublications } from '#domains/misconduct/public'
import { watchCycles } from '#domains/monitoring/cycles/watch'
import { forgetHelmetPlaces } from '#domains/monitoring/helmet/helmet-places'
import { openSurveys, surveyQueue, surveyRetries, writeSurvey } from '#domains/monitoring/pit/survey/write'
import { sendersFor, startNotices } from '#domains/notify/public'
import { openingQueue, openOpenings, runOpening } from '#domains/onboarding/opening/run'
import { dropOldCells, importQueue, openImports, runImport } from '#domains/personnel/import/run'
import { forgetOpenDoors } from '#domains/personnel/public'
import { arrangeVisits, computeRisks } from '#domains/plans/public'
import { forgetTemperatures, keepTempAlarms, tellTempAlarms } from '#domains/prevention/public'
import { climbLadders } from '#domains/process/public'
import { improvementLadder } from '#domains/quality/public'
import { deemReceived, rectifyLadder } from '#domains/rectify/public'
import { startReports } from '#domains/reports/worker'
import { judgeSchedules } from '#domains/schedule/public'
import { followOwnWords } from '#domains/settings/own-words'
import { loadAreaNames } from '#domains/settings/profile'
import { beginComing, stopLadder, watchStopped } from '#domains/stops/public'
import { forgetPlaces } from '#domains/tracks/public'
import { watchSuspended } from '#domains/upkeep/public'
import { adoptWaiting, turnLate } from '#domains/workflow/public'
import { type Clock, systemClock } from '#kit/clock'
import type { Config } from '#kit/config'
import { asRuntime, type Database, openDatabase } from '#kit/db'
import type { Log } from '#kit/log'
import { createOutgoing } from '#kit/outgoing'
import { createSecrets, type Secrets } from '#kit/secret'
import { startDemoUpper } from './docking-upper/demo-upper.ts'
import { registerExports } from './export-list.ts'
import { forgetPictures } from './forget-pictures.ts'
import { registerNoticeSources } from './notice-sources.ts'
import { registerWorkKinds } from './work-kinds.ts'

/** Concurrent exports in one jobs process. */
const exportsAtOnce = 2
/** Rows per second that the demonstration sends to the platform above. */
const demoPerSecond = 20

export interface Jobs {
  stop(): Promise<void>
}

/** Dependencies of the jobs. */
interface World {
  config: Config
  log: Log
  clock: Clock
  database: Database
  secrets: Secrets
  boss: PgBoss
  /** Folder of exported files. */
  folder: string
  senders: ReturnType<typeof sendersFor>
}

/** Tasks stored in their own table and queued by id. */
interface KeptTasks {
  queue: string
  retries: Omit<Queue, 'name'>
  open(): Promise<string[]>
  run(taskId: string): Promise<void>
}

/** Starts the jobs role: work that may be delayed but must not be lost. */
export async function startJobs(config: Config, log: Log): Promise<Jobs> {
  setDictionaryLookup(isDictCode)
  setAreaLookup(isAreaCode)
  registerExports(config.publicUrl)
  registerWorkKinds()
  registerNoticeSources()
  const database = openDatabase(config.databaseUrl ?? '', {
    max: 8,
    name: 'zhugong-jobs',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  await loadAreaNames(database.kysely)
  const words = followOwnWords(database.kysely, config.databaseUrl ?? '', 'zhugong-jobs-words', log)
  const boss = await openQueues(config, log)
  const world: World = {
    config,
    log,
    clock: systemClock,
    database,
    secrets: createSecrets(config.secretKey),
    boss,
    folder: join(config.dataDir, 'exports'),
    senders: sendersFor(config),
  }
  await takeExports(world)
  const kept = keptTasksOf(world)
  for (const tasks of kept) await takeTasks(boss, tasks)
  await tidyUp(world, kept)
  await turnPeople(world)
  await turnApprovals(world)
  await turnRecords(world)
  await endPermits(world)
  const reports = await turnSubscriptions(world)
  const upward = await sendUpward(world)
  const machines = followMachines(world)
  return {
    async stop() {
      await Promise.all([machines.stopTelling(), upward.sending.stop(), reports.stop(), words.stop()])
      await upward.above?.stop()
      await machines.stopFollowing()
      await boss.stop({ graceful: true, timeout: 5_000 })
      await database.close()
    },
  }
}

async function openQueues(config: Config, log: Log): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: config.databaseUrl ?? '',
    application_name: 'zhugong-boss',
    max: 4,
    ...asRuntime,
    createSchema: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  return boss
}

/**
 * Every minute: notices that nobody signed for count as received, stops begin on their day, machines of stopped sites are watched, and
 * overdue to-dos climb their ladder. Timed notices are published.
 */
function turnRecords({ boss, database, clock, secrets, log }: World): Promise<void> {
  const deps = { db: database.kysely, clock, secrets, log }
  return every(boss, 'records', '* * * * *', async () => {
    await deemReceived(deps)
    await beginComing(deps)
    await watchStopped(database, clock.now())
    await watchSuspended(database, clock.now())
    await climbLadders(deps, [rectifyLadder, measureLadder, improvementLadder, stopLadder])
    await closeAnswered(deps)
    await arrangeVisits(deps)
    await endTerms(deps)
    await showNames(deps)
    await passSilent(deps)
    await endPublications(deps)
    await turnAnnouncements(deps)
  })
}

/** Every minute: work permits whose time is over end. A job of its own, so that nothing slow before it keeps one open. */
async function endPermits({ boss, database, clock, secrets, log, config }: World): Promise<void> {
  const deps = { db: database.kysely, clock, secrets, log, reach: config }
  await every(boss, 'work-permits', '* * * * *', async () => {
    await endOverdue(deps)
  })
  // Run once at the start: some ended while nothing ran.
  await boss.send('work-permits', {}, { singletonKey: 'start' })
}

/** Schedules a job by cron under its own name; only one process runs each occurrence. */
async function every(boss: PgBoss, name: string, cron: string, turn: () => Promise<void>): Promise<void> {
  await boss.createQueue(name)
  await boss.schedule(name, cron)
  await boss.work(name, turn)
}

async function takeExports(world: World): Promise<void> {
  const { boss, database } = world
  await boss.createQueue(exportQueue, { retryLimit: 2 })
  // Exports that were running when the process ended start again: their file is written anew.
  const unfinished = await database.kysely.selectFrom('exportTask').select('id').where('status', '=', exportStatus.running).execute()
  for (const task of unfinished) await boss.send(exportQueue, { taskId: task.id }, { singletonKey: task.id })
  await boss.work<{ taskId: string }>(exportQueue, { localConcurrency: exportsAtOnce, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await runExport(world, job.data.taskId)
  })
}

function keptTasksOf(world: World): KeptTasks[] {
  const surveys = { database: world.database, clock: world.clock, log: world.log, ingestSocket: world.config.ingestSocket }
  return [
    { queue: importQueue, retries: { retryLimit: 2 }, open: () => openImports(world), run: (id) => runImport(world, id) },
    { queue: surveyQueue, retries: surveyRetries, open: () => openSurveys(surveys), run: (id) => writeSurvey(surveys, id) },
    { queue: openingQueue, retries: { retryLimit: 2 }, open: () => openOpenings(world), run: (id) => runOpening(world, id) },
  ]
}

async function takeTasks(boss: PgBoss, tasks: KeptTasks): Promise<void> {
  await boss.createQueue(tasks.queue, tasks.retries)
  await sendOpen(boss, tasks)
  await boss.work<{ taskId: string }>(tasks.queue, { localConcurrency: 1, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await tasks.run(job.data.taskId)
  })
}

async function sendOpen(boss: PgBoss, { queue, open }: KeptTasks): Promise<void> {
  for (const taskId of await open()) await boss.send(queue, { taskId })
}

/** Once an hour: deletes expired data and queues open tasks whose message was lost. */
function tidyUp(world: World, kept: readonly KeptTasks[]): Promise<void> {
  const { boss, database, clock, config, secrets, log } = world
  return every(boss, 'clean-up', '17 * * * *', async () => {
    await cleanUp(world)
    await dropOldCells(world)
    await forgetTemperatures(database.kysely, clock)
    await forgetOpenDoors(database.kysely, clock.now())
    await forgetParts(database.kysely, { files: join(config.dataDir, 'files'), parts: join(config.dataDir, 'parts') }, clock.now())
    await clearBins({ db: database.kysely, clock, secrets, log }, join(config.dataDir, 'files'))
    await forgetApplications(database.kysely, clock.now())
    await forgetPlaces(database.kysely, clock.now())
    await forgetHelmetPlaces(database.kysely, clock)
    const forgotten = await forgetPictures(database.kysely, join(config.dataDir, 'files'), clock.now())
    if (Object.values(forgotten).some((n) => n > 0)) log.info(forgotten, 'pictures whose days were over are gone')
    // Queue tasks whose message was lost between the commit and the queue.
    for (const tasks of kept) await sendOpen(boss, tasks)
  })
}

/** Scheduled changes of contract flags, blacklists, labour alarms and temperature alarms. */
async function turnPeople({ boss, database, clock, secrets, log }: World): Promise<void> {
  await every(boss, 'contract-flags', '7 * * * *', async () => {
    await turnContractFlags(database.kysely, clock.now())
    await turnBlackLists(database.kysely, clock.now())
  })
  // Operators whose licence ended leave their machines in the night.
  await every(boss, 'driver-licences', '15 0 * * *', async () => {
    await endLicences({ db: database.kysely, clock, secrets, log })
  })
  // Before the risks, which ask for the delay.
  await every(boss, 'schedules', '10 2 * * *', async () => {
    await judgeSchedules({ db: database.kysely, clock, secrets, log })
  })
  await every(boss, 'project-risks', '20 2 * * *', () => computeRisks({ db: database.kysely, clock, secrets, log }))
  await every(boss, 'labour-alarms', '*/10 * * * *', async () => {
    await keepLabourAlarms(database.kysely, clock)
    await tellLabourAlarms(database, clock)
  })
  // Run once at the start instead of after up to ten minutes.
  await boss.send('labour-alarms', {}, { singletonKey: 'start' })
  await every(boss, 'temp-alarms', '* * * * *', async () => {
    await keepTempAlarms(database.kysely, clock)
    await tellTempAlarms(database, clock)
  })
}

async function turnApprovals({ boss, database, clock, secrets, log }: World): Promise<void> {
  await every(boss, 'approvals', '* * * * *', async () => {
    const background = { db: database.kysely, clock, secrets, log }
    await adoptWaiting(background)
    await turnLate(background)
  })
  await boss.send('approvals', {}, { singletonKey: 'start' })
}

async function turnSubscriptions(world: World): Promise<{ stop(): Promise<void> }> {
  const { boss } = world
  const reports = startReports(world)
  await boss.createQueue('reports')
  await boss.schedule('reports', '* * * * *')
  await boss.work('reports', { pollingIntervalSeconds: 1 }, () => reports.look())
  return reports
}

/** Sends records to the platform above and compares hourly whether it has all of them. */
async function sendUpward({ config, database, clock, secrets, log, boss }: World) {
  const sendingUp = {
    database,
    clock,
    secrets,
    log,
    outgoing: createOutgoing(config, 'upward'),
    // The demonstration runs on the user's own machine: limit the rate.
    perSecond: config.demo ? demoPerSecond : undefined,
  }
  const above = config.demo ? await startDemoUpper(database.kysely, config.dataDir) : undefined
  const sending = startSending(sendingUp)
  await every(boss, 'docking-compare', '23 * * * *', () => compareAll(sendingUp))
  return { above, sending }
}

/** Starts the background work for devices: working cycles, dockings, gate synchronization, device days, notices, linkage, and orders that follow from alarms. */
function followMachines({ config, database, clock, secrets, log, senders }: World) {
  const { pool } = database
  const { ingestSocket } = config
  const databaseUrl = config.databaseUrl ?? ''
  const now = () => clock.now()
  const cycles = watchCycles(pool, log)
  const dockings = startDockings({ pool, outgoing: createOutgoing(config, 'docking'), secrets, log, ingestSocket, now })
  const gateSync = startGateSync({ pool, log, ingestSocket, now })
  const deviceDays = startDeviceDays(pool, log, now)
  const notices = startNotices({ pool, secrets, log, senders, now }, databaseUrl)
  const linkage = startLinkage({ database, databaseUrl, log, ingestSocket, now })
  const alarmNotices = startAlarmNotices({ db: database.kysely, clock, secrets, log })
  return {
    stopTelling: () => Promise.all([notices.stop(), linkage.stop(), alarmNotices.stop()]),
    async stopFollowing() {
      await cycles.stop()
      await Promise.all([dockings.stop(), deviceDays.stop(), gateSync.stop()])
    },
  }
}

/** Deletes expired exports with their files, and expired sessions. */
async function cleanUp({ database, clock }: World): Promise<void> {
  const now = new Date(clock.now())
  const expired = await database.kysely.deleteFrom('exportTask').where('expireTime', '<', now).returning('path').execute()
  for (const { path } of expired) if (path) rmSync(path, { force: true })
  await database.kysely.deleteFrom('session').where('hardExpiresAt', '<', now).execute()
}
