import type { QualityFinding } from '@zhugong/contract/quality/improvement'
import { qualityFinding } from '@zhugong/contract/quality/improvement'
import { improvementSources } from '@zhugong/contract/quality/improvement-moves'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { rowOf } from '#kit/row-of'
import { linksOf } from '../files/public.ts'
import { qualityPatrol } from './patrol.ts'

/** A finding as its source knows it. */
export interface Finding {
  /** Within the kind of source. */
  id: string
  code: string | null
  projectCode: string
  corpCode: string
  /** Dictionary qualityProblem; null where the source does not say. */
  qualityProblem: string | null
  part: string
  text: string
  measured: string | null
  at: Date
  /** Ids of stored files. */
  photos: string[]
}

/** A kind of record that improvements come from: a check, a spot check, a measuring task. Registered by its own domain, which lies above. */
export interface ImprovementSource {
  /** For the list, for example 检查. */
  title: string
  /** The page that shows a finding. */
  page(finding: { id: string; code: string | null }): string
  /** Findings by their ids that the caller sees; with `since` instead of ids those of a project that can still be picked. */
  findings(ctx: Pick<Context, 'db'>, which: { ids: readonly string[] } | { projectCode: string; since: Date }): Promise<Finding[]>
}

const sources = new Map<string, ImprovementSource>()

export function registerImprovementSource(kind: string, source: ImprovementSource): void {
  sources.set(kind, source)
}

export const sourceNamed = (kind: string): ImprovementSource | undefined => sources.get(kind)
export const sourceName = (kind: string): string => sources.get(kind)?.title ?? improvementSources[kind] ?? kind
export const sourceOptions = () => Object.entries(improvementSources).map(([value, label]) => ({ value, label }))
export const sourceKinds = () => [...sources.keys()]

/** Findings that fit on the form. */
const mostOffered = 300

/** Problems of quality checks. */
export function registerCheckFindings(): void {
  registerImprovementSource(qualityPatrol.kind, {
    title: '检查',
    page: ({ code }) => `/qualityInspectionList?code=${encodeURIComponent(code ?? '')}`,
    findings: async (ctx, which) => {
      const one =
        'ids' in which ? sql`p.id = any (${[...which.ids]})` : sql`p.project_code = ${which.projectCode} and c.check_time >= ${which.since}`
      const { rows } =
        await sql<Finding>`select p.id, c.code, p.project_code, p.corp_code, p.quality_problem, p.part, p.description as text,
          p.measured, c.check_time as at, p.photos
        from site_check_problem p join site_check c on c.id = p.check_id
        where c.kind = ${qualityPatrol.kind} and c.state <> '0' and ${one} order by c.check_time desc, p.id limit ${mostOffered}`.execute(
          ctx.db,
        )
      return rows
    },
  })
}

export const shownFinding = (
  ctx: Pick<Context, 'secrets' | 'clock'>,
  kind: string,
  one: Omit<Finding, 'projectCode' | 'corpCode' | 'qualityProblem'>,
): QualityFinding =>
  rowOf(qualityFinding, one, {
    kind,
    kindName: sourceName(kind),
    page: sourceNamed(kind)?.page(one) ?? '',
    at: formatInstant(one.at),
    photos: linksOf(ctx, one.photos),
  })
