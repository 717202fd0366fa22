import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, paged, pageQuery, ref } from '../kit/fields.ts'
import { dayFields, moment, project } from './row-fields.ts'

const finding = z.object({
  projectCode: z.string(),
  day: z.string().nullable(),
  seq: z.number().int().nullable(),
  toSeq: z.number().int().nullable(),
  row: z.string().nullable(),
  kind: z.string(),
  kindName: z.string(),
  note: z.string(),
})

const ledgerQuery = z.object({ ...project, from: day.optional(), to: day.optional() })

export const verifyLedger = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/ledger/verify',
  summary: '校验考勤账本',
  needs: 'attendance.verify',
  query: ledgerQuery,
  response: z.object({
    projectCode: z.string(),
    ok: z.boolean(),
    entries: z.number().int(),
    lastSeq: z.number().int(),
    lastHash: z.string(),
    roots: z.number().int(),
    /** Number of copies kept by the caller's group that were compared. */
    copies: z.number().int(),
    findings: z.array(finding),
    checkedAt: z.string(),
    words: z.string(),
  }),
})

const rootRow = z.object({
  date: z.string(),
  count: z.number().int(),
  firstSeq: z.number().int().nullable(),
  lastSeq: z.number().int().nullable(),
  lastHash: z.string(),
  merkleRoot: z.string(),
  prevRoot: z.string().nullable(),
  projectCode: z.string(),
  hash: z.string(),
  /** When the caller's group stored its copy, if it has one. */
  deliveredAt: moment,
  copyHash: z.string().nullable(),
})

export const ledgerRoots = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/ledger/roots',
  summary: '考勤账本日根值',
  needs: 'attendance.verify',
  answers: 'list',
  query: ledgerQuery.extend({ page: pageQuery.shape.page, size: pageQuery.shape.size }),
  response: paged(rootRow),
})

export const ledgerProof = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/ledger/proof',
  summary: '个人考勤证明',
  needs: 'attendance.verify',
  query: ledgerQuery.extend({ workerId: ref('worker') }),
  response: z.object({
    projectCode: z.string(),
    workerId: z.string(),
    rulesVersion: z.string(),
    entries: z.array(
      z.object({
        canonical: z.string(),
        previousHash: z.string(),
        hash: z.string(),
        date: z.string(),
        index: z.number().int(),
        path: z.array(z.string()),
      }),
    ),
    roots: z.array(
      z.object({
        count: z.number().int(),
        date: z.string(),
        firstSeq: z.number().int().nullable(),
        lastHash: z.string(),
        lastSeq: z.number().int().nullable(),
        merkleRoot: z.string(),
        prevRoot: z.string().nullable(),
        projectCode: z.string(),
      }),
    ),
    days: z.array(z.object({ ...dayFields, date: z.string() })),
    /** Entries of days that are not closed yet: they have no daily root. */
    pending: z.number().int(),
    /** The person's sequence number at which the proof begins. */
    fromWorkerSeq: z.number().int().nullable(),
  }),
})
