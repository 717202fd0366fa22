import type { Half } from '@zhugong/contract/experts/draws'
import type { ReplyState } from '@zhugong/contract/experts/moves'
import type { Generated } from 'kysely'

interface ExpertLibraryTable {
  groupId: string
  name: string
  /** Significant front of the authority's area. */
  areaFront: string
  isOpen: Generated<boolean>
  maxAge: Generated<number>
  leastYears: Generated<number>
  termYears: Generated<number>
  coolDays: Generated<number>
  hideNames: Generated<boolean>
  version: Generated<number>
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ExpertTable {
  id: string
  libraryGroup: string
  name: string
  gender: string
  birthday: string
  idCardNumber: Buffer
  idCardHash: string
  idCardMask: string
  phone: Buffer
  phoneHash: string
  phoneMask: string
  email: string | null
  workUnit: string
  duty: string | null
  title: string
  titleMajor: string
  specialties: string[]
  wish: string[] | null
  degree: string
  graduateSchool: string | null
  workYears: number
  resume: string
  achievements: string | null
  photo: string | null
  unitOpinion: string | null
  commitments: string | null
  applied: Generated<boolean>
  twin: Generated<boolean>
  /** Account that wrote it last; empty for a public application. */
  writtenBy: string
  submitTime: Date | null
  opinion: string | null
  validStart: string | null
  validEnd: string | null
  score: number | null
  grade: string | null
  state: Generated<string>
  version: Generated<number>
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ExpertCertTable {
  id: string
  expertId: string
  seq: number
  name: string
  number: string
  validEnd: string | null
}
interface ExpertTicketTable {
  tokenHash: string
  phone: Buffer
  phoneHash: string
  uploads: Generated<number>
  expiresAt: Date
}
interface ExpertDraftTable {
  phoneHash: string
  content: Buffer
  updateTime: Date
}
interface ExpertUploadTable {
  id: string
  phoneHash: string
  createTime: Date
}
interface ExpertDrawTable {
  id: string
  code: string
  libraryGroup: string
  organiserGroup: string
  organiserName: string
  groups: string[]
  aboutProject: string | null
  aboutName: string | null
  purpose: string
  title: string
  meetingDate: string
  half: Half
  place: string
  overScale: boolean
  hideNames: boolean
  replyHours: number
  run: number
  meeting: string
  reason: string | null
  candidates: number
  accepted: Generated<number>
  listHash: string
  commitment: string
  frozenAt: Date
  frozenName: string
  shownAt: Date | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ExpertDrawQuotaTable {
  drawId: string
  seq: number
  specialty: string
  seats: number
  candidates: number
}
interface ExpertDrawRecusalTable {
  drawId: string
  expertId: string
  expertName: string
  workUnit: string
  reason: string
  manual: boolean
}
interface ExpertDrawSeatTable {
  id: string
  drawId: string
  groups: string[]
  shownAt: Date | null
  specialty: string
  rank: number
  expertId: string
  expertName: string
  workUnit: string
  phoneMask: string
  reply: ReplyState
  note: string | null
  meetingDate: string
  half: Half
  dueAt: Date | null
  replyAt: Date | null
  replyBy: string | null
}
interface ExpertActivityTable {
  id: string
  code: string
  libraryGroup: string
  organiserGroup: string
  organiserName: string
  groups: string[]
  shownAt: Date | null
  aboutProject: string | null
  aboutName: string | null
  drawId: string | null
  noDrawReason: string | null
  activityType: string
  title: string
  date: string
  half: Half
  place: string
  content: string
  overScale: boolean
  result: 'passed' | 'changed' | 'failed' | 'done' | null
  conclusion: string | null
  report: string | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ExpertActivitySeatTable {
  id: string
  activityId: string
  groups: string[]
  shownAt: Date | null
  expertId: string
  expertName: string
  workUnit: string
  phoneHash: string
  role: string
  date: string
  half: Half
  held: Generated<boolean>
  signAt: Date | null
  feeCents: number | null
}
interface ExpertTripTable {
  id: string
  libraryGroup: string
  expertId: string
  expertName: string
  activityType: string
  inviter: string
  destination: string
  startDate: string
  endDate: string
  payer: string
  content: string
  report: string | null
  photos: Generated<string[]>
  reportAt: Date | null
  opinion: string | null
  writerId: string
  writerName: string
  state: Generated<string>
  version: Generated<number>
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface ExpertScoreTable {
  id: string
  seatId: string
  activityId: string
  expertId: string
  libraryGroup: string
  organiserGroup: string
  organiserName: string
  year: number
  presence: number
  skill: number
  opinion: number
  fairness: number
  discipline: number
  total: number
  sentence: string | null
  byId: string
  byName: string
  at: Date
}
interface ExpertScoreChangeTable {
  id: string
  scoreId: string
  before: number
  after: number
  reason: string
  byId: string
  byName: string
  at: Date
}
interface ExpertYearTable {
  libraryGroup: string
  year: number
  expertId: string
  times: number
  meanScore: number | null
  score: number | null
  grade: string | null
  frozenAt: Date
  frozenBy: string
}
interface ExpertAppealTable {
  id: string
  libraryGroup: string
  expertId: string
  year: number
  text: string
  byName: string
  at: Date
}

interface ExpertFaultTable {
  id: string
  libraryGroup: string
  expertId: string
  year: number
  points: Generated<number>
  since: Date
  until: Date | null
}

declare module '#kit/db' {
  interface Tables {
    expertFault: ExpertFaultTable
    expertLibrary: ExpertLibraryTable
    expert: ExpertTable
    expertCert: ExpertCertTable
    expertTicket: ExpertTicketTable
    expertDraft: ExpertDraftTable
    expertUpload: ExpertUploadTable
    expertDraw: ExpertDrawTable
    expertDrawQuota: ExpertDrawQuotaTable
    expertDrawRecusal: ExpertDrawRecusalTable
    expertDrawSeat: ExpertDrawSeatTable
    expertActivity: ExpertActivityTable
    expertActivitySeat: ExpertActivitySeatTable
    expertTrip: ExpertTripTable
    expertScore: ExpertScoreTable
    expertScoreChange: ExpertScoreChangeTable
    expertYear: ExpertYearTable
    expertAppeal: ExpertAppealTable
  }
}
