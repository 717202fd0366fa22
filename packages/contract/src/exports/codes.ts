/** The permission module of a machine family's pages and lists. */
export const moduleOfFamily: Readonly<Record<string, string>> = {
  towerCrane: 'tower-crane',
  lifter: 'lifter',
  unloadingPlatform: 'unloading',
  foundationPit: 'foundation-pit',
  highFormwork: 'high-formwork',
  environment: 'environment',
  sprayController: 'environment',
  electricMeter: 'meters',
  waterMeter: 'meters',
  weighbridge: 'weighbridge',
  smartHelmet: 'helmet',
  baseStationHelmet: 'helmet',
  truckMonitor: 'vehicle',
  truckAccess: 'vehicle-access',
  videoAi: 'video',
}

const both = (module: string) => [`${module}.view`, `${module}.export`]
/** Lists of organisation and of rules have no export code of their own: who sees them may take them along. */
const ofLists: Readonly<Record<string, readonly string[]>> = {
  project: ['project.view'],
  corporation: ['corporation.view'],
  orgMember: ['org.view'],
  group: ['government.view'],
  folderProject: ['projectGroup.view'],
  team: both('labour'),
  projectCorp: both('labour'),
  laborBlack: both('labour'),
  companyBlack: both('labour'),
  integratedEnterprise: both('labour'),
  projectTable: ['labour.stats', 'labour.export'],
  governmentTable: ['labour.stats', 'labour.export'],
  enterpriseTable: ['labour.stats', 'labour.export'],
  personnelTable: ['labour.stats', 'labour.export'],
  projectWorker: both('personnel'),
  workerFile: both('personnel'),
  workerRoster: both('personnel'),
  entryExit: both('personnel'),
  workerTraining: both('personnel'),
  trainingCard: both('personnel'),
  trainingSheet: both('personnel'),
  workerBadge: both('personnel'),
  workerDossier: both('personnel'),
  workerCert: both('personnel'),
  certAlarm: both('personnel'),
  workerImport: ['personnel.import'],
  workerImportResult: ['personnel.import'],
  attendanceDaily: both('attendance'),
  attendanceMonthly: both('attendance'),
  attendanceRecord: both('attendance'),
  attendancePerson: both('attendance'),
  attendanceUnit: both('attendance'),
  attendanceTeam: both('attendance'),
  signIn: both('attendance'),
  attendanceMuster: ['attendance.view'],
  laborAlarm: both('attendance'),
  attendanceFix: both('attendance'),
  tempAlarm: both('attendance'),
  temperature: [...both('attendance'), 'personnel.health'],
  attendanceProof: ['attendance.view', 'attendance.verify'],
  alarm: both('alarm'),
  alarmProject: both('alarm'),
  ruleBase: ['alarm.view'],
  ruleTrigger: ['rules.view'],
  ruleExec: ['rules.view'],
  execLog: ['rules.view'],
  device: both('device-admin'),
  equipmentBrand: both('device-admin'),
  deviceDue: both('device-admin'),
  craneCycle: both('tower-crane'),
  craneCycleGroup: both('tower-crane'),
  craneDay: both('tower-crane'),
  craneOffline: both('tower-crane'),
  craneRank: both('tower-crane'),
  sprayRun: both('environment'),
  sprayDay: both('environment'),
  stationHour: both('environment'),
  stationNow: both('environment'),
  stationRank: both('environment'),
}

/**
 * All the codes an export asks for: `export.run`, the list's view code and, where it has one, its export code. Readings and records are
 * named `readings.<family>` and `records.<family>.<record>`. Undefined for a list that cannot be exported.
 */
export function exportCodes(feature: string): readonly string[] | undefined {
  const [kind, family = ''] = feature.split('.')
  const module = kind === 'readings' || kind === 'records' ? moduleOfFamily[family] : undefined
  const own = module ? both(module) : ofLists[feature]
  return own && ['export.run', ...own]
}
