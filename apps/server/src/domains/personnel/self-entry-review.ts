import { ageOn, birthdayOfIdCard, genderOfIdCard, maskName } from '@zhugong/contract/kit/checks'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { workRoles } from '@zhugong/contract/labour/model'
import { residentId } from '@zhugong/contract/personnel/codes'
import { registerBody } from '@zhugong/contract/personnel/registration-model'
import { ageFits, ageLimits } from '@zhugong/contract/personnel/rules'
import * as contract from '@zhugong/contract/personnel/self-entry'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { changedMeanwhile, changeRow, conflictOf } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { entrySources, listedPeople } from '../labour/public.ts'
import type { CodeSender } from './open-code.ts'
import { joinPerson, registerPerson } from './register.ts'
import { doorKey } from './self-entry.ts'
import { printPoster } from './self-entry-poster.ts'

/** The officer's review of self-registrations. */
export function selfEntryReviewRoutes(serve: Serve, publicUrl: string | undefined, sms: CodeSender | undefined): void {
  serve(contract.selfEntryDoor, doorOf)
  serve(contract.setSelfEntryDoor, setDoor)
  serve(contract.selfEntryPoster, printPoster(publicUrl))
  serve(contract.listSelfEntries, listEntries)
  serve(contract.getSelfEntry, getEntry)
  serve(contract.decideSelfEntry, decide(sms))
}

const doorOf: HandlerOf<typeof contract.selfEntryDoor> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const door = await ctx.db.selectFrom('selfEntryDoor').selectAll().where('projectCode', '=', projectCode).executeTakeFirst()
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from self_entry where project_code = ${projectCode} and state = 'waiting'`.execute(ctx.db)
  return {
    isOpen: door?.isOpen ?? false,
    key: door?.isOpen ? doorKey(ctx, projectCode, door.turn) : null,
    waiting: rows[0]?.n ?? 0,
    updateName: door?.updateName ?? null,
    updateTime: door ? formatInstant(door.updateTime) : null,
    version: door?.version ?? 0,
  }
}

const doorWords = { open: '启用自助登记二维码', close: '停用自助登记二维码', renew: '更换自助登记二维码' } as const

const setDoor: HandlerOf<typeof contract.setSelfEntryDoor> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const before = await ctx.db.selectFrom('selfEntryDoor').selectAll().where('projectCode', '=', projectCode).forUpdate().executeTakeFirst()
  if ((before?.version ?? 0) !== body.version) throw changedMeanwhile('二维码', { by: before?.updateName })
  if (body.action === 'renew' && !before?.isOpen) throw new AppError('refused', '二维码未启用，启用后再更换')
  const stamp = { updateName: ctx.user.name, updateTime: new Date(ctx.clock.now()) }
  // Opening it again creates a new code: older posters become invalid.
  const turn = (before?.turn ?? 0) + (before && body.action !== 'close' ? 1 : 0)
  const row = { isOpen: body.action !== 'close', turn, ...stamp, version: body.version + 1 }
  await ctx.db
    .insertInto('selfEntryDoor')
    .values({ projectCode, ...row })
    .onConflict((conflict) => conflict.column('projectCode').doUpdateSet(row).where('selfEntryDoor.version', '=', body.version))
    .execute()
  ctx.note(doorWords[body.action], projectCode)
  return undefined
}

type Entry = Omit<Row<'selfEntry'>, 'photo'> & {
  projectName: string
  teamName: string | null
  corpName: string | null
  hasPhoto: boolean
  twins: number
  here: boolean
  elsewhere: boolean
  phoneOther: string | null
}

/** Each entry with what the caller may know about the person; row-level security of the joined tables limits it. */
const shown = sql`
  e.*, (e.photo is not null) as has_photo, p.name as project_name, t.team_name, c.corp_name,
  (select count(*)::int from self_entry o where o.id <> e.id and o.project_code = e.project_code and o.id_card_hash = e.id_card_hash
    and o.state = 'waiting') as twins,
  exists (select 1 from project_worker w where w.project_code = e.project_code and w.id_card_hash = e.id_card_hash and w.exit_time is null) as here,
  exists (select 1 from project_worker w where w.project_code <> e.project_code and w.id_card_hash = e.id_card_hash and w.exit_time is null)
    as elsewhere,
  (select min(w.worker_name) from project_worker w where w.cell_phone_hash = e.cell_phone_hash and w.id_card_hash <> e.id_card_hash
    and w.exit_time is null and w.project_code = e.project_code) as phone_other`
const joined = sql`self_entry e join project p on p.project_code = e.project_code left join team t on t.id = e.team_id
  left join corporation c on c.corp_code = e.corp_code`

async function entries(ctx: Context, where: RawBuilder<unknown>, rest: RawBuilder<unknown>): Promise<contract.SelfEntryRow[]> {
  const { rows } = await sql<Entry>`select ${shown} from ${joined} where ${where} ${rest}`.execute(ctx.db)
  return Promise.all(rows.map((row) => toRow(ctx, row)))
}

const listEntries: HandlerOf<typeof contract.listSelfEntries> = async ({ query }, ctx) => {
  const where = allOf(
    ...inProjects('e.projectCode', projectsFor(ctx, query.projectCode)),
    ...contains('e.name', query.name),
    ...anyOf('e.state', query.state),
    ...equals('e.teamId', query.teamId),
  )
  const { limit, offset } = pageSlice(query)
  const order = orderBy(query.sort, { createTime: 'e.createTime!', name: 'e.name' }, 'createTime', 'e.id')
  // Waiting entries first.
  const list = await entries(ctx, where, sql`order by e.state <> 'waiting', ${order} limit ${limit} offset ${offset}`)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${joined} where ${where}`.execute(ctx.db)
  return { list, total: rows[0]?.n ?? 0 }
}

const getEntry: HandlerOf<typeof contract.getSelfEntry> = async ({ params }, ctx) => {
  const row = await entryOf(ctx, params.id)
  const [result] = await entries(ctx, sql`e.id = ${row.id}`, sql``)
  return {
    ...found(result, '登记'),
    urgentLinkMan: row.urgentLinkMan,
    urgentPhoneMask: row.urgentPhoneMask,
    photo: ctx.secrets.open(row.photo),
  }
}

async function entryOf(ctx: Context, id: string): Promise<Row<'selfEntry'>> {
  const projects = projectsFor(ctx)
  const { rows } = await sql<Row<'selfEntry'>>`
    select e.* from self_entry e where ${allOf(...equals('e.id', id), ...inProjects('e.projectCode', projects))}`.execute(ctx.db)
  return found(rows[0], '登记')
}

async function toRow(ctx: Context, e: Entry): Promise<contract.SelfEntryRow> {
  const number = ctx.secrets.open(e.idCardNumber)
  const birthday = number ? birthdayOfIdCard(number) : undefined
  const age = birthday ? ageOn(birthday, formatDay(ctx.clock.now())) : null
  return rowOf(contract.selfEntryRow, e, {
    age,
    workTypeName: dictName('workerType', e.workType),
    stateName: contract.selfEntryStates[e.state],
    hints: e.state === 'waiting' ? await hintsOf(ctx, e, number, age) : [],
    decidedTime: e.decidedAt && formatInstant(e.decidedAt),
    createTime: formatInstant(e.createTime),
  })
}

async function hintsOf(ctx: Context, e: Entry, number: string | null, age: number | null): Promise<contract.SelfEntryRow['hints']> {
  const listed = (await listedPeople(ctx, [e.idCardHash], e)).get(e.idCardHash)
  const gender = number ? (genderOfIdCard(number) ?? '1') : '1'
  const stops = [
    listed && `在黑名单内：${listed.reasonTypeName}，${listed.scopeName}，至 ${listed.endDate}`,
    e.here && '已在本项目在场',
    age !== null && age < ageLimits.least && `${age} 周岁，未满 ${ageLimits.least} 周岁`,
  ]
  const looks = [
    e.twins > 0 && `同一证件号另有 ${e.twins} 份待审核`,
    e.elsewhere && '在其他项目在场',
    age !== null &&
      age >= ageLimits.least &&
      !ageFits(age, gender) &&
      `${age} 周岁，超过 ${gender === '2' ? ageLimits.mostFemale : ageLimits.mostMale} 周岁`,
    e.phoneOther && `手机号与在场的${maskName(e.phoneOther)}相同`,
    !e.phoneProved && '手机未验证',
  ]
  const reported = (all: readonly (string | false | null | undefined)[], isStop: boolean) =>
    all.filter((text): text is string => Boolean(text)).map((text) => ({ text, stops: isStop }))
  return [...reported(stops, true), ...reported(looks, false)]
}

const decide =
  (sms: CodeSender | undefined): HandlerOf<typeof contract.decideSelfEntry> =>
  async ({ params, body }, ctx) => {
    const before = await entryOf(ctx, params.id)
    if (before.state !== 'waiting') throw new AppError('refused', `该登记${contract.selfEntryStates[before.state]}`)
    if (before.version !== body.version) throw await conflictOf(ctx, 'selfEntry', { id: before.id }, '该登记')
    if (body.action === 'accept') requireCode(ctx, 'labour.entry')
    const made = body.action === 'accept' ? await enter(ctx, before, body) : { workerId: null, projectWorkerId: null }
    await changeRow(ctx, 'selfEntry', {
      key: { id: before.id },
      where: { state: 'waiting' },
      version: before.version,
      noun: '登记',
      values: {
        ...made,
        state: body.action === 'accept' ? 'accepted' : 'returned',
        reason: body.action === 'return' ? body.reason : null,
        decidedName: ctx.user.name,
        decidedAt: new Date(ctx.clock.now()),
        // After approval the file has this data; after a refusal it may not be kept.
        idCardNumber: null,
        cellPhone: null,
        urgentLinkMan: null,
        urgentPhone: null,
        urgentPhoneMask: null,
        photo: null,
      },
    })
    const words = body.action === 'accept' ? '通过自助登记' : '退回自助登记'
    ctx.note(`${words} ${maskName(before.name)}`, made.workerId ? [before.id, made.workerId] : before.id)
    if (body.action === 'return' && before.phoneProved) tellReturned(ctx, sms, ctx.secrets.open(before.cellPhone), body.reason)
    return made
  }

function tellReturned(ctx: Context, sms: CodeSender | undefined, phone: string | null, reason: string): void {
  if (!sms || !phone) return
  ctx.afterCommit(async () => {
    await sms
      .send(phone, `您的工地自助登记已退回：${reason}。请扫码重新登记，或找工地劳务员。`, ctx.newId())
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'that a registration came back was not told'))
  })
}

type Accepting = Extract<ParsedFor<typeof contract.decideSelfEntry>['body'], { action: 'accept' }>

/** Creates person and stay by the functions of the registration form, or only the stay if the person has a file. */
async function enter(ctx: Context, e: Row<'selfEntry'>, { teamId, workType, entryTime, photo }: Accepting) {
  const number = ctx.secrets.open(e.idCardNumber) ?? ''
  const team = found(
    await ctx.db
      .selectFrom('team')
      .select(['corpCode'])
      .where('id', '=', teamId)
      .where('projectCode', '=', e.projectCode)
      .executeTakeFirst(),
    '班组',
  )
  const agreed = (kind: 'personal' | 'face', isGiven: boolean) => ({ kind, state: isGiven ? '同意' : '不同意', way: '手机确认' })
  const body = registerBody.parse({
    name: e.name,
    idCardType: residentId,
    idCardNumber: number,
    cellPhone: ctx.secrets.open(e.cellPhone),
    urgentLinkMan: e.urgentLinkMan,
    urgentLinkManPhone: ctx.secrets.open(e.urgentPhone),
    workTypeCode: workType,
    facePhoto: e.consentFace ? photo : null,
    consents: [agreed('personal', true), agreed('face', e.consentFace)],
    stay: { projectCode: e.projectCode, corpCode: team.corpCode, teamId, workRole: workRoles.worker, workType, entryTime },
  })
  const known = await ctx.system
    .selectFrom('worker')
    .select('id')
    .where('idCardType', '=', residentId)
    .where('idCardHash', '=', e.idCardHash)
    .where('deleted', '=', false)
    .executeTakeFirst()
  return await (known ? joinPerson : registerPerson)(ctx, body, entrySources.phone)
}
