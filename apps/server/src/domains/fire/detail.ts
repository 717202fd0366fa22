import type { FireBuild, FireDetail, fireSetup } from '@zhugong/contract/fire/calls'
import { subOf } from '@zhugong/contract/fire/catalogue'
import { fireStates, internalSteps } from '@zhugong/contract/fire/moves'
import { ruleLines, verdicts } from '@zhugong/contract/fire/rule'
import { maskPhone } from '@zhugong/contract/kit/checks'
import { partTypes } from '@zhugong/contract/labour/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { peopleFor } from './assign.ts'
import { catalogueName } from './catalogue.ts'
import type { FireCase } from './fire-case.ts'
import { buildsOf, entriesOf, failedSubs, type JudgedRound, judgeRound, problemsOf, roundsOf } from './judging.ts'
import { fireKind, fireLabels, fireType, isAssessor, isInternal, readCase } from './kind.ts'
import { placesFor } from './places.ts'
import { catalogueIdOf } from './points.ts'
import { readCases } from './rows.ts'
import { teamOf } from './seats.ts'
import { authorityOf } from './writes.ts'

export async function readDetail(ctx: Context, id: string): Promise<FireDetail> {
  const [row] = await readCases(ctx, allOf(...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx))), {})
  const head = found(row, fireKind.noun)
  const file = await readCase(ctx, id)
  if (file.state === fireStates.draft && ctx.group.id !== file.applicantGroup) found(undefined, fireKind.noun)
  const rounds = await roundsOf(ctx, id)
  const judged = new Map<number, JudgedRound>()
  const catalogueId = await catalogueIdOf(ctx, file)
  for (const one of rounds) judged.set(one.round, await judgeRound(ctx, { id, catalogueId }, one))
  const builds = await buildsOf(ctx, id)
  const last = judged.get(rounds.at(-1)?.round ?? 0)
  const internal = isInternal(ctx, file)
  const team = await teamOf(ctx, id)
  const pauses = await sql<Row<'firePause'>>`select * from fire_pause where case_id = ${id} order by from_day`.execute(ctx.db)
  const parts = await sql<Row<'firePart'>>`select * from fire_part where case_id = ${id} order by seq`.execute(ctx.db)
  const tel = ctx.secrets.open(file.tel) ?? ''
  return {
    ...head,
    ...pick(
      file,
      'contact',
      'isPart',
      'designReviewNo',
      'designReviewDate',
      'licenseNo',
      'noAcceptReason',
      'noAcceptNote',
      'authorityName',
      'round',
    ),
    tel: ctx.group.id === file.applicantGroup || ctx.group.id === file.authorityGroup ? tel : maskPhone(tel),
    noAcceptName: dictName('fireNoAcceptReason', file.noAcceptReason),
    catalogue: await catalogueName(ctx, catalogueId),
    submitted: internal && file.submittedAt !== null,
    team: team.map(({ userId, expertId, name, unit }) => ({ userId, expertId, name, unit })),
    buildRows: builds.map((build) => buildRow(build, last)),
    parts: parts.rows.map(({ kind, place, content, floor, amount, grade }) => ({ kind, place, content, floor, amount, grade })),
    materials: linksOf(ctx, file.materials),
    pauses: pauses.rows.map(({ fromDay, toDay, reason }) => ({ from: fromDay, to: toDay, reason })),
    problems: await problemRows(ctx, id, builds, rounds, judged),
    rounds: rounds.map((one) => roundRow(one, judged.get(one.round))),
    drawing: await drawingOf(ctx, file),
    mine: isAssessor(ctx, file) && file.state === fireStates.onSite && file.submittedAt === null,
    internal,
    timeline: (await historyOf(ctx, fireType, id, fireLabels)).filter(
      (one) => internal || !(internalSteps as readonly string[]).includes(one.action),
    ),
    signatures: internal ? await signaturesOf(ctx, fireKind, file) : [],
    actions: offersFor(ctx, fireKind, file),
  }
}

function buildRow(build: Row<'fireBuild'>, round: JudgedRound | undefined): FireBuild {
  const { id, unitId, name, use, structureType, fireRating, danger, useProperty, floorsUp, floorsDown, height, length, footprint } = build
  const judged = round?.builds.find((one) => one.build.id === id)?.judged
  return {
    id,
    unitId,
    name,
    use,
    structureType,
    fireRating,
    danger,
    useProperty,
    floorsUp,
    floorsDown,
    height,
    length,
    footprint,
    ...pick(build, 'areaUp', 'areaDown', 'addedPlaces', 'places', 'projects'),
    placeNames: build.places.map((one) => dictName('firePlace', one) ?? one),
    judged: judged
      ? {
          ...judged.judged,
          subsDone: judged.subsDone,
          subsTotal: judged.subsTotal,
          projects: judged.projects.map((one) => ({ ...one.judged, code: one.code, name: one.name })),
        }
      : null,
  }
}

function roundRow(one: Row<'fireRound'>, judged: JudgedRound | undefined): FireDetail['rounds'][number] {
  const names = new Map(judged?.builds.map(({ build }) => [build.id, build.name]))
  return {
    ...pick(one, 'round', 'verdict', 'opinion', 'remark', 'issuedBy', 'docNo'),
    verdictName: verdicts[one.verdict],
    line: ruleLines[one.line],
    causes: one.causes.map((code) => names.get(code) ?? code),
    submittedAt: one.submittedAt && formatInstant(one.submittedAt),
    issuedAt: one.issuedAt && formatInstant(one.issuedAt),
  }
}

/** What is not right in each round, with the proof for it. */
async function problemRows(
  ctx: Context,
  id: string,
  builds: readonly Row<'fireBuild'>[],
  rounds: readonly Row<'fireRound'>[],
  judged: ReadonlyMap<number, JudgedRound>,
): Promise<FireDetail['problems']> {
  const entries = await entriesOf(ctx, id)
  const proofs = await sql<Row<'fireProof'>>`select * from fire_proof where case_id = ${id}`.execute(ctx.db)
  return rounds.flatMap((round) => {
    const at = judged.get(round.round)
    const names = new Map(at?.items.map((one) => [one.code, one.name]))
    const failed = at ? failedSubs(at) : []
    return problemsOf(
      entries.filter((one) => one.round === round.round),
      null,
    ).map((one) => {
      const proof = proofs.rows.find(({ pointId }) => pointId === one.id)
      return {
        pointId: one.id,
        ...pick(one, 'round', 'buildId', 'itemCode', 'level', 'checkPart'),
        buildName: builds.find((build) => build.id === one.buildId)?.name ?? '',
        itemName: names.get(one.itemCode) ?? one.itemCode,
        subCode: subOf(one.itemCode),
        subName: names.get(subOf(one.itemCode)) ?? '',
        description: one.description ?? '',
        photos: linksOf(ctx, one.photos),
        failing: failed.includes(`${one.buildId} ${subOf(one.itemCode)}`),
        proof: proof ? { note: proof.note, files: linksOf(ctx, proof.files), at: formatInstant(proof.at) } : null,
      }
    })
  })
}

async function drawingOf(ctx: Pick<Context, 'db'>, file: FireCase): Promise<FireDetail['drawing']> {
  if (!file.drawId) return null
  const draw = await ctx.db.selectFrom('fireDraw').selectAll().where('id', '=', file.drawId).executeTakeFirst()
  return draw
    ? {
        ...pick(draw, 'id', 'ratio', 'candidates', 'drawn', 'listHash', 'drawnName'),
        drawnAt: formatInstant(draw.drawnAt),
      }
    : null
}

const mostChoices = 500
export const readSetup: HandlerOf<typeof fireSetup> = async ({ query }, ctx) => {
  const none = { projects: [], licenseNo: null, units: [], people: [], rules: [] }
  if (query.caseId) {
    const file = await readCase(ctx, query.caseId)
    return { ...none, people: ctx.group.id === file.authorityGroup ? await peopleFor(ctx, file.projectCode) : [] }
  }
  const projects = await sql<{ code: string; name: string }>`select distinct j.project_code as code, j.name from project_corp u
    join project j using (project_code) where u.corp_code = ${ctx.group.code} and u.corp_type = ${partTypes.owner} and u.exit_time is null
    order by j.name, code limit ${mostChoices}`.execute(ctx.db)
  const one = query.projectCode
  if (one === '*' || !projects.rows.some(({ code }) => code === one)) return { ...none, projects: projects.rows }
  type Unit = FireSetup['units'][number]
  const units = await sql<Unit>`select id, name, structure_type, area, height, floors_up, floors_down from unit_project
    where project_code = ${one} order by seq, id limit ${mostChoices}`.execute(ctx.db)
  const licence = await sql<{ no: string | null }>`select builder_licenses -> 0 ->> 'builderLicenseNum' as no from project
    where project_code = ${one}`.execute(ctx.db)
  return {
    ...none,
    projects: projects.rows,
    licenseNo: licence.rows[0]?.no ?? null,
    units: units.rows,
    rules: await placesFor(ctx, (await authorityOf(ctx, one)).id),
  }
}
type FireSetup = NonNullable<(typeof fireSetup)['types']>['out']
