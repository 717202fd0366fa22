import { z } from 'zod'

const person = {
  workerId: z.string(),
  name: z.string(),
  gender: z.string(),
  age: z.number().int(),
  idCardNumber: z.string(),
  cellPhone: z.string().nullable(),
}

/** A stay: a row of /personList. */
export const stayRow = z.object({
  id: z.string(),
  ...person,
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workRole: z.string(),
  workType: z.string().nullable(),
  workTypeName: z.string().nullable(),
  post: z.string().nullable(),
  isTeamLeader: z.boolean(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  exitReasonName: z.string().nullable(),
  formalStatus: z.string(),
  stationed: z.string(),
  hasContract: z.boolean(),
  attendEnabled: z.boolean(),
  certState: z.enum(['none', 'valid', 'expiring', 'expired', 'pending', 'missing']),
  certEnd: z.string().nullable(),
  /** HH:mm of today's first entry. */
  firstIn: z.string().nullable(),
  late: z.boolean(),
  lastPass: z.string().nullable(),
  /** Entry conditions that are not met. */
  missing: z.array(z.string()),
  photo: z.string().nullable(),
  version: z.number().int(),
})

export type StayRow = z.infer<typeof stayRow>

/** A person: a row of /personnelSystem. */
export const fileRow = z.object({
  id: z.string(),
  ...person,
  birthPlaceName: z.string().nullable(),
  workTypeCode: z.string().nullable(),
  workTypeName: z.string().nullable(),
  workCorpName: z.string().nullable(),
  realNameState: z.string(),
  /** Completeness of the required fields in tenths, and the names of missing ones. */
  completeness: z.number().int(),
  incomplete: z.array(z.string()),
  projects: z.array(z.object({ projectCode: z.string(), projectName: z.string(), stayId: z.string() })),
  badCount: z.number().int(),
  createTime: z.string(),
})

export type FileRow = z.infer<typeof fileRow>

/** A row of the paper roster on a given day. */
export const rosterRow = z.object({
  id: z.string(),
  ...person,
  address: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workName: z.string().nullable(),
  skillLevelName: z.string().nullable(),
  isTeamLeader: z.boolean(),
  entryDate: z.string(),
  exitDate: z.string().nullable(),
  contractCode: z.string().nullable(),
  /** Bank, and the last four digits of the card. */
  payCard: z.string().nullable(),
  urgentLinkMan: z.string().nullable(),
})

export type RosterRow = z.infer<typeof rosterRow>
