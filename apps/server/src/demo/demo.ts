import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildCity } from '@zhugong/simulator/city'
import { areaNamesKey } from '#domains/settings/profile'
import { formatDay, systemClock } from '#kit/clock'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { demoFile } from './accounts.ts'
import { growPeople } from './grow-people.ts'
import { seedAccounts } from './seed-accounts.ts'
import { seedActs } from './seed-acts.ts'
import { seedAdvice } from './seed-advice.ts'
import { seedAir } from './seed-air.ts'
import { seedAlters } from './seed-alters.ts'
import { seedAnnouncements } from './seed-announcements.ts'
import { seedAppUse } from './seed-app-use.ts'
import { seedCampaigns } from './seed-campaigns.ts'
import { seedChecks } from './seed-checks.ts'
import { seedCivil } from './seed-civil.ts'
import { seedCompanies, seedWishes } from './seed-companies.ts'
import { seedDayLogs } from './seed-daylogs.ts'
import { seedDocking } from './seed-docking.ts'
import { seedDocuments } from './seed-documents.ts'
import { seedDrivers } from './seed-drivers.ts'
import { seedDust } from './seed-dust.ts'
import { seedEquipment } from './seed-equipment.ts'
import { seedExamine } from './seed-examine.ts'
import { seedExperts } from './seed-experts.ts'
import { seedFindings } from './seed-findings.ts'
import { seedFire } from './seed-fire.ts'
import { seedFlow } from './seed-flow.ts'
import { seedFreshSite } from './seed-fresh-site.ts'
import { seedHazards } from './seed-hazards.ts'
import { seedHealth } from './seed-health.ts'
import { seedHouses } from './seed-houses.ts'
import { seedImports } from './seed-imports.ts'
import { seedKept } from './seed-kept.ts'
import { seedLabour } from './seed-labour.ts'
import { seedLegalMachines } from './seed-legal-machines.ts'
import { seedLibrary } from './seed-library.ts'
import { seedLinkage } from './seed-linkage.ts'
import { seedMachineHistory } from './seed-machine-history.ts'
import { letTerminalsRegister, seedMachines } from './seed-machines.ts'
import { seedMaterials } from './seed-materials.ts'
import { seedMeasuring } from './seed-measuring.ts'
import { seedMeters } from './seed-meters.ts'
import { seedMisconduct } from './seed-misconduct.ts'
import { seedMonitoring } from './seed-monitoring.ts'
import { seedNotify } from './seed-notify.ts'
import { seedOnboarding } from './seed-onboarding.ts'
import { seedBrands, seedFences } from './seed-organisation.ts'
import { seedOwnProjects } from './seed-own-projects.ts'
import { seedPapers } from './seed-papers.ts'
import { seedPiles } from './seed-piles.ts'
import { seedPlaces } from './seed-places.ts'
import { seedPolicies } from './seed-policies.ts'
import { seedProofs } from './seed-proofs.ts'
import { seedQuality } from './seed-quality.ts'
import { seedRectify } from './seed-rectify.ts'
import { seedReports } from './seed-reports.ts'
import { seedResidence } from './seed-residence.ts'
import { seedRights } from './seed-rights.ts'
import { seedSchedule } from './seed-schedule.ts'
import { seedScoring } from './seed-scoring.ts'
import { seedScreens } from './seed-screens.ts'
import { seedSelfEntries } from './seed-self-entries.ts'
import { seedSettings } from './seed-settings.ts'
import { seedSheets } from './seed-sheets.ts'
import { seedSpotChecks } from './seed-spotchecks.ts'
import { seedSteps } from './seed-steps.ts'
import { seedStops } from './seed-stops.ts'
import { seedSupervision } from './seed-supervision.ts'
import { seedTemplates } from './seed-templates.ts'
import { seedThemes } from './seed-themes.ts'
import { seedTracks } from './seed-tracks.ts'
import { seedTrade } from './seed-trade.ts'
import { seedTrainings } from './seed-trainings.ts'
import { seedTravel } from './seed-travel.ts'
import { seedUpkeep } from './seed-upkeep.ts'
import { seedVehicleFences, seedVehicleRegistry } from './seed-vehicle-fences.ts'
import { seedWords } from './seed-words.ts'
import { seedWorks } from './seed-works.ts'
import { letGatesSpeak, refreshAddresses, writeDemoFile } from './write-demo-file.ts'

/** Arbitrary; the same seed gives the same city, people and readings. */
export const demoSeed = 20_260_101

export interface Demo {
  file: string
  announcement: string
  /** Writes history while the city is already running: weeks of passages, face pictures, a month of weather. */
  grow(databaseUrl: string, log: Log, signal: AbortSignal): Promise<void>
}

/** Fills an empty installation with the demonstration city; an existing one is continued. History is written later by `grow`, except with `whole`. */
export async function prepareDemo(config: Config, database: Database, databaseUrl: string, log: Log, whole: boolean): Promise<Demo> {
  const file = demoFile(config.dataDir)
  const db = database.kysely
  const seeded = await db.selectFrom('setting').select('value').where('key', '=', 'demo').executeTakeFirst()
  if (!seeded || !existsSync(file)) {
    if (seeded) throw new Error(`数据库里有演示数据，但 ${file} 不见了；请换一个空的 DATA_DIR`)
    const begun = performance.now()
    const now = systemClock.now()
    const today = formatDay(now)
    log.info('first start: the demonstration city is being built')
    const city = buildCity({ seed: demoSeed, today })
    const secrets = createSecrets(config.secretKey)
    const machines = await db.transaction().execute(async (tx) => {
      await seedTrade(tx, city, secrets)
      const made = await seedMachines(tx, city, secrets)
      await seedEquipment(tx, city, secrets, now)
      return made
    })
    await seedMachineHistory(database, city, now)
    const lines = await seedMonitoring(database, city, machines, config, now)
    await db.transaction().execute((tx) => seedActs(tx, city, now))
    await db.transaction().execute((tx) => seedAir(tx, city, now))
    await db.transaction().execute((tx) => seedFindings(tx, city, now))
    await db.transaction().execute((tx) => seedLinkage(tx, city, now))
    await db.transaction().execute((tx) => seedTemplates(tx, city, now))
    const accounts = await seedAccounts(db, city)
    await seedKept(database, city, now, join(config.dataDir, 'files'))
    await db.transaction().execute((tx) => seedProofs(tx, city, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedPiles(tx, city, now))
    await seedNotify(db, city, secrets, now)
    await seedFlow(db, city, now)
    await seedImports(db, city, secrets, now)
    await seedSelfEntries(db, city, secrets, now)
    await db.transaction().execute(async (tx) => {
      await seedFences(tx, city)
      await seedVehicleFences(tx, city)
      await seedVehicleRegistry(tx, city, now)
      await seedMeters(tx, city, now)
      await seedBrands(tx, city)
    })
    await seedLabour(db, city, secrets, now)
    await seedPapers(db, city, now)
    await db.transaction().execute((tx) => seedTrainings(tx, city, now))
    await db.transaction().execute((tx) => seedRectify(tx, city, now))
    await db.transaction().execute((tx) => seedChecks(tx, city, now))
    await db.transaction().execute((tx) => seedStops(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedSheets(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedQuality(tx, city, now))
    await db.transaction().execute((tx) => seedScoring(tx, city, now))
    await db.transaction().execute((tx) => seedPlaces(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedCivil(tx, city, now))
    await db.transaction().execute((tx) => seedExamine(tx, city, now))
    await db.transaction().execute((tx) => seedThemes(tx, city, now))
    await db.transaction().execute((tx) => seedAlters(tx, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedPolicies(tx, city, now))
    await seedSupervision(db, city, secrets, now)
    await db.transaction().execute((tx) => seedAdvice(tx, city, now))
    await db.transaction().execute((tx) => seedExperts(tx, city, secrets, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedWorks(tx, city, now, join(config.dataDir, 'files')))
    await seedCampaigns(db, city, secrets, now)
    await seedHealth(db, city, secrets, now)
    await seedRights(db, city, now)
    await seedReports(db, now)
    await seedOnboarding(db, city, secrets, now)
    await seedOwnProjects(db, now)
    await seedFreshSite(db, city, secrets, now)
    await seedSettings(db, city, now, join(config.dataDir, 'files'))
    await seedScreens(db, city, now)
    await seedCompanies(db, city, now, join(config.dataDir, 'files'))
    await db.transaction().execute((tx) => seedLegalMachines(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedMaterials(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedSteps(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedHazards(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedFire(tx, city, secrets, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedDrivers(tx, city, now))
    await db.transaction().execute((tx) => seedResidence(tx, city, now))
    await db.transaction().execute((tx) => seedSpotChecks(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedDust(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedUpkeep(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedMisconduct(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedTracks(tx, city, now))
    await db.transaction().execute((tx) => seedMeasuring(tx, city, now))
    await db.transaction().execute((tx) => seedHouses(tx, city, now))
    await db.transaction().execute((tx) => seedSchedule(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedDayLogs(tx, city, now))
    await db.transaction().execute((tx) => seedDocuments(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedLibrary(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedTravel(tx, city, now, join(config.dataDir, 'files')))
    await db.transaction().execute((tx) => seedAnnouncements(tx, city, now))
    await seedWishes(db, city, now)
    await seedAppUse(db, now)
    await seedWords(db, city, now)
    await seedDocking(db, city, secrets, now, config.dataDir)
    await writeDemoFile(config, database, city, machines, accounts, lines, { seed: demoSeed, today, gatesWait: true })
    // The invented city uses real area codes; its own names override the delivered ones.
    const names = Object.fromEntries(city.areas.map((a) => [a.code, a.name]))
    await db
      .insertInto('setting')
      .values({ key: areaNamesKey, value: JSON.stringify(names) })
      .execute()
    await db
      .insertInto('setting')
      .values({ key: 'demo', value: JSON.stringify({ seed: demoSeed, today, now, attendanceApart: true }) })
      .execute()
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    log.info(
      { projects: city.projects.length, workers: city.workers.length, devices: city.devices.length, seconds },
      'the demonstration city stands',
    )
  }
  await letTerminalsRegister(db, systemClock.now())
  refreshAddresses(config)
  const { accounts } = JSON.parse(readFileSync(file, 'utf8')) as {
    accounts: { account: string; password: string; title: string; groupName: string; shown: boolean }[]
  }
  const width = Math.max(...accounts.map((a) => a.account.length))
  const lines = accounts.filter((a) => a.shown).map((a) => `  ${a.account.padEnd(width)}  ${a.password}  ${a.title}（${a.groupName}）`)
  const made = await db.selectFrom('setting').select('value').where('key', '=', 'demo').executeTakeFirstOrThrow()
  const { attendanceApart = false, ...seededCity } = made.value as { seed: number; today: string; now: number; attendanceApart?: boolean }
  const people = { ...seededCity, databaseUrl, attendance: attendanceApart, filesFolder: join(config.dataDir, 'files') }
  const gatesMaySpeak = () => letGatesSpeak(config)
  if (whole) await growPeople({ ...people, filesFolder: undefined }, gatesMaySpeak)
  return {
    file,
    async grow(databaseUrl, log, signal) {
      const reported = (error: unknown) => log.warn({ err: error }, 'past of the demonstration')
      const { growHistory } = await import('./older-history.ts')
      await Promise.all([growPeople(people, gatesMaySpeak, signal).catch(reported), growHistory(databaseUrl, seededCity, log, signal)])
    },
    announcement: [
      '演示账号（仅本次安装有效，登录页也可点选）：',
      ...lines,
      '',
      `全部账号与设备凭证见 ${file}`,
      '按 Ctrl+C 停止；再次运行 npm start 会接着上次继续。',
      '',
    ].join('\n'),
  }
}
