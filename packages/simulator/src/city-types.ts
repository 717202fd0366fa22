/**
 * The invented city as plain data. Field names are those of the server's tables, so that a row can be inserted unchanged; data for the
 * simulator only is in `SitePlan`, `Device.behaviour` and `Persona`.
 * Dates are `yyyy-MM-dd`, date-times `yyyy-MM-dd HH:mm:ss`, both in Asia/Shanghai; money is in cents unless the field says 万元.
 */

import type { MeterProtocol } from './meter-wire.ts'
import type { Sitter } from './portrait.ts'

/** Push formats of three gate makers: (a) access-control events, (b) form callbacks, (c) the platform's own record. */
export const gateForms = ['event', 'dahua', 'uniview', 'operator', 'adms', 'callback', 'generic'] as const
export type GateForm = (typeof gateForms)[number]

/** Picture or scan belonging to a record: a description from which it is drawn. */
export interface FileSeed {
  id: string
  name: string
  mime: 'image/png'
  kind: 'portrait' | 'idCard' | 'certificate' | 'contract' | 'licence'
  title: string
  lines: string[]
  /** Person of a portrait. */
  sitter?: Sitter
}

export interface Area {
  code: string
  name: string
  parentCode: string | null
}

export interface Government {
  id: string
  govCode: string
  name: string
  type: string
  level: string
  areaCode: string
  parentGovCode: string | null
  creditCode: string
  disciplines: string[]
  linkMan: string
  linkPhone: string
  address: string
  enable: '1'
}

export interface Corporation {
  id: string
  corpCode: string
  corpName: string
  corpType: string
  corpKind: string[]
  areaCode: string
  address: string
  zipCode: string
  legalMan: string
  legalManDuty: string
  legalManIdCardType: string
  legalManIdCardNumber: string
  regCapital: number
  factRegCapital: number
  capitalCurrencyType: 'CNY'
  registerDate: string
  establishDate: string
  officePhone: string
  linkMan: string
  linkPhone: string
  email: string
  safetyLicenseNo: string | null
  safetyLicenseEnd: string | null
  licenseFile: FileSeed
  creditScore: number
  enable: '1'
}

export interface CorpQualification {
  id: string
  corpCode: string
  certTypeNum: string
  tradeBoundNum: string
  titleLevelNum: string
  certCode: string
  organName: string
  organDate: string
  endDate: string
  addTypeNum: string
  status: string
  file: FileSeed
}

export interface Point {
  lng: number
  lat: number
}

export interface Project {
  id: string
  projectCode: string
  name: string
  shortName: string
  contractorCorpCode: string
  contractorCorpName: string
  buildCorpCode: string
  buildCorpName: string
  category: string
  prjStatus: '003' | '005'
  description: string
  areaCode: string
  address: string
  lng: number
  lat: number
  /** Closed polygon without the first point repeated. */
  areaRule: { type: '2'; points: Point[] }
  builderLicenses: { prjName: string; builderLicenseNum: string; licenseDate: string; grantOrg: string }[]
  investProjectCode: string
  prjSize: string
  propertyNum: string
  functionNum: string
  nationNum: string
  invest: number
  contractPrice: number
  laborCostRatio: number
  buildingArea: number | null
  buildingLength: number | null
  structureType: string | null
  floorsUp: number | null
  floorsDown: number | null
  startDate: string
  completeDate: string
  actualStartDate: string
  fundSource: string
  projectMode: string
  phase: string
  progressPercent: number
  linkMan: string
  linkPhone: string
  superviseOrg: string
  superviseNo: string
  attendanceStartTime: string
  attendanceEndTime: string
  payRollCreateDay: number
  payRollDay: number
  payRollDelayDays: number
  isClosedSite: boolean
  enable: '1'
  uploadStatus: '0' | '1'
}

export interface UnitProject {
  id: string
  projectCode: string
  name: string
  type: string
  part: string
  structureType: string | null
  basicType: string
  state: string
  area: number
  height: number
  floorsUp: number
  floorsDown: number
  phase: string
  progressPercent: number
}

export interface ProjectCorp {
  id: string
  projectCode: string
  corpCode: string
  corpType: string
  parentCorpCode: string | null
  contractNo: string | null
  contractAmount: number | null
  entryTime: string
  exitTime: string | null
  pmName: string
  pmIdCardType: string
  pmIdCardNumber: string
  pmPhone: string
  payType: string
  bankAccounts: { businessType: string; bankCode: string; bankName: string; bankNumber: string; bankLinkNumber: string }[]
  stationed: '1' | '2'
}

export interface Team {
  id: string
  teamSysNo: number
  projectCode: string
  corpCode: string
  teamName: string
  workType: string
  /** workerId of the leader. */
  teamLeaderId: string | null
  teamLeaderPhone: string | null
  responsiblePersonName: string
  responsiblePersonPhone: string
  responsiblePersonIdCardType: string
  responsiblePersonIdNumber: string
  entryTime: string
  exitTime: string | null
  stationed: '1' | '2'
  remark: string | null
}

/** workerBase and workerDetail in one; both have the key workerId. */
export interface Worker {
  workerId: string
  name: string
  idCardType: '01'
  idCardNumber: string
  gender: '1' | '2'
  nation: string
  birthday: string
  birthPlaceCode: string
  address: string
  grantOrg: string
  startDate: string
  expiryDate: string
  headImage: FileSeed
  facePhoto: FileSeed | null
  cellPhone: string
  realNameState: '0' | '1'
  consentTime: string
  faceConsent: boolean
  politics: string
  cultureLevel: string
  degree: string
  maritalStatus: string
  isJoined: boolean
  joinedTime: string | null
  workTypeCode: string
  workCorpName: string
  workDate: string
  skillLevel: string | null
  urgentLinkMan: string
  urgentLinkManPhone: string
  hasBadMedicalHistory: boolean
}

export interface ProjectWorker {
  id: string
  projectCode: string
  corpCode: string
  teamSysNo: number | null
  workerId: string
  workRole: '10' | '20'
  workType: string | null
  post: string | null
  isTeamLeader: boolean
  entryTime: string
  exitTime: string | null
  exitReason: string | null
  issueCardDate: string | null
  cardNumber: string
  payRollBankCode: string | null
  payRollBankName: string | null
  payRollBankCardNumber: string | null
  bankLinkNumber: string | null
  hasContract: boolean
  hasBuyInsurance: boolean
  paymentType: string
  unitPrice: number
  entryTrained: boolean
  /** 0 registered, 1 formal, 2 suspended. */
  formalStatus: '0' | '1' | '2'
  stationed: '1' | '2'
  attendEnabled: boolean
  blackHit: boolean
  uploadStatus: '0' | '1'
}

export interface EntryExit {
  id: string
  projectCode: string
  workerId: string
  /** 1 in, 0 out. */
  type: '1' | '0'
  date: string
  reason: string | null
  source: string
}

export interface WorkerCert {
  id: string
  workerId: string
  certType: string
  specialType: string | null
  name: string
  certNo: string
  level: string | null
  firstIssueDate: string
  issueDate: string
  validStart: string
  validEnd: string | null
  grantOrg: string
  status: string
  auditStatus: string
  files: FileSeed[]
}

export interface WorkerContract {
  id: string
  contractCode: string
  workerId: string
  projectCode: string
  corpCode: string
  contractKind: string
  contractPeriodType: string
  startDate: string
  endDate: string | null
  paymentType: string
  unit: string | null
  unitPrice: number | null
  salary: number
  payDay: number
  workContent: string
  signDate: string
  signMode: '1' | '2'
  files: FileSeed[]
}

export interface Training {
  id: string
  projectCode: string
  trainingType: string
  name: string
  trainer: string
  /** corpCode */
  organizer: string
  startTime: string
  duration: number
  address: string
  content: string
  workers: { workerId: string; isPass: boolean; score: number }[]
}

export interface AttendanceSetting {
  projectCode: string
  workStart: string
  workEnd: string
  lateMinutes: number
  earlyMinutes: number
  dayCut: string
  minHours: number
  supplementDays: number
  autoExitDays: number
  absentAlarmDays: number
  keyPostRate: number
  ageMaleMax: number
  ageFemaleMax: number
  ageMin: number
  faceThreshold: number
  allowMobile: boolean
  crossMidnight: boolean
  breaks: [string, string][]
  restDates: string[]
  repeatSeconds: number
  maxSpanHours: number
  standardHours: number
}

export type Family =
  | 'towerCrane'
  | 'lifter'
  | 'unloadingPlatform'
  | 'foundationPit'
  | 'highFormwork'
  | 'pileFoundation'
  | 'environment'
  | 'sprayController'
  | 'electricMeter'
  | 'waterMeter'
  | 'weighbridge'
  | 'smartHelmet'
  | 'baseStationHelmet'
  | 'truckMonitor'
  | 'truckAccess'
  | 'faceGate'
  | 'videoAi'

export interface DeviceModel {
  id: string
  family: Family
  category: string
  factory: string
  brand: string
  name: string
}

export interface Gateway {
  id: string
  code: string
  name: string
  connType: string
  type: string
  projectCode: string
  enable: '1'
  /** A meter line: the platform connects and polls with this protocol. */
  wire?: MeterProtocol
}

export type Access =
  | { protocol: 'mqtt'; gatewayCode: string }
  | { protocol: 'hj212'; mn: string; password: string; units: { tsp: 'ug'; pm10: 'ug'; pm25: 'ug' }; crcMode: 'standard' }
  | { protocol: 'jt808'; phone: string }
  | { protocol: 'http'; appCode: string }
  /** A gate that pushes each passage, in its maker's format. */
  | { protocol: 'push'; form: GateForm }
  | { protocol: 'poll'; gatewayCode: string; address: string }

/** Behaviour of the device in the demonstration. */
export type Behaviour = 'normal' | 'offline' | 'notActivated' | 'maintenance' | 'stale'

export interface Device {
  id: string
  deviceSn: string
  name: string
  family: Family
  category: string
  modelId: string
  projectCode: string
  access: Access
  installPos: Point
  /** Metres east and north of the project's origin. */
  x: number
  y: number
  installTime: string
  params: Record<string, string | number>
  auditState: '1'
  dueDate: string
  source: '1'
  behaviour: Behaviour
  /** Unit project or place of the device. */
  place: string
  /** workerIds of its operators, day shift first. */
  operators: string[]
}

export interface Building {
  name: string
  points: [number, number][]
  height: number
  floorsUp: number
}

/** Local plane of a site: metres east (x) and north (y) of `origin`. */
export interface SitePlan {
  projectCode: string
  origin: Point
  fence: [number, number][]
  buildings: Building[]
  roads: [number, number][][]
  zones: { name: string; kind: 'forbidden'; marginMeters: number; points: [number, number][] }[]
  gates: { name: string; x: number; y: number }[]
  spray: { name: string; points: [number, number][] }[]
}

/** A person with an account in the demonstration. */
export interface Persona {
  account: string
  name: string
  title: string
  groupType: 0 | 1 | 2 | 3
  groupName: string
  govCode: string | null
  corpCode: string | null
  projectCode: string | null
  workerId: string | null
}

export interface OpenApp {
  code: string
  name: string
  projectCode: string
  families: Family[]
}

export interface City {
  seed: number
  today: string
  name: string
  areas: Area[]
  governments: Government[]
  corporations: Corporation[]
  corpQualifications: CorpQualification[]
  projects: Project[]
  unitProjects: UnitProject[]
  projectCorps: ProjectCorp[]
  teams: Team[]
  workers: Worker[]
  projectWorkers: ProjectWorker[]
  entryExits: EntryExit[]
  workerCerts: WorkerCert[]
  workerContracts: WorkerContract[]
  trainings: Training[]
  attendanceSettings: AttendanceSetting[]
  deviceModels: DeviceModel[]
  gateways: Gateway[]
  devices: Device[]
  openApps: OpenApp[]
  sitePlans: SitePlan[]
  personas: Persona[]
}
