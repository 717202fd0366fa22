import { ageOn, birthdayOfIdCard, birthPlaceOfIdCard, checkIdNumber, genderOfIdCard } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { residentId } from '@zhugong/contract/personnel/codes'
import { ageLimits } from '@zhugong/contract/personnel/rules'
import { areaPath } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { listedPeople } from '../labour/public.ts'
import { nativePlace } from './native-place.ts'

/**
 * The error for an ID number that is already registered. It names the person only if visible to the caller. The failed insert has aborted
 * this transaction, so both queries use the other pool, the first one with an explicit scope.
 */
export async function duplicate(ctx: Context, type: string, number: string): Promise<AppError> {
  const known = await ctx.system
    .selectFrom('worker')
    .select(['id', 'name', 'ownerGroup'])
    .where('idCardType', '=', type)
    .where('idCardHash', '=', ctx.secrets.blindIndex('id-card', number))
    .where('deleted', '=', false)
    .executeTakeFirst()
  const { rows } = await sql<{ projectName: string; present: boolean }>`
    select p.name as project_name, w.exit_time is null as present from project_worker w join project p using (project_code)
    where w.worker_id = ${known?.id ?? ''} and (${ctx.scope.all} or (w.project_code = any (${[...ctx.scope.projects]})
      and (w.project_code <> all (${[...ctx.scope.limited]}) or w.corp_code = any (${[...ctx.scope.corps]}))))
    order by present desc, w.entry_time desc`.execute(ctx.system)
  const seen = known && (ctx.scope.all || known.ownerGroup === ctx.group.id || rows.length > 0)
  if (!known || !seen)
    return new AppError('refused', '该证件号码已在平台登记，请核对号码；本人转场请按姓名和证件号码办理进场', { field: 'idCardNumber' })
  const at = rows[0]
  const where = at
    ? `，${at.present ? '现在' : '曾在'}“${at.projectName}”${at.present ? '' : '，现已退场：请沿用档案办理进场，不必重新登记'}`
    : ''
  return new AppError('refused', `该证件号码已登记：${known.name}${where}`, { field: 'idCardNumber', workerId: known.id, name: known.name })
}

export async function lookUp(ctx: Context, idCardType: string, idCardNumber: string, name: string | undefined) {
  const problem = checkIdNumber(idCardType, idCardNumber, { today: formatDay(ctx.clock.now()) })
  if (problem) throw new AppError('invalidInput', problem, { field: 'idCardNumber' })
  const hash = ctx.secrets.blindIndex('id-card', idCardNumber)
  // People who have left are not counted as the caller's own: they register again with their documents.
  const own = await ctx.db
    .selectFrom('worker')
    .select(['id', 'name', 'realNameState', 'expiryDate'])
    .where('idCardType', '=', idCardType)
    .where('idCardHash', '=', hash)
    .where('deleted', '=', false)
    .where(sql<boolean>`(${ctx.scope.all} or zg_holds_worker(id))`)
    .executeTakeFirst()
  const other = own
    ? undefined
    : await ctx.system
        .selectFrom('worker')
        .select(['id', 'name'])
        .where('idCardType', '=', idCardType)
        .where('idCardHash', '=', hash)
        .where('deleted', '=', false)
        .executeTakeFirst()
  const onSite = own
    ? (
        await sql<{ projectCode: string; projectName: string }>`
          select w.project_code, p.name as project_name from project_worker w join project p using (project_code)
          where w.worker_id = ${own.id} and w.exit_time is null`.execute(ctx.db)
      ).rows
    : []
  const resident = idCardType === residentId
  const birthday = resident ? (birthdayOfIdCard(idCardNumber) ?? null) : null
  const age = birthday ? ageOn(birthday, formatDay(ctx.clock.now())) : null
  const site = ctx.projectCode !== '*' ? ctx.projectCode : ctx.group.type === groupTypes.project ? ctx.group.code : ''
  const listed = (await listedPeople(ctx, [hash], { projectCode: site, corpCode: null })).get(hash)
  const warnings = [
    ...(age !== null && age < ageLimits.least ? [`${age} 周岁，未满 ${ageLimits.least} 周岁不得进场`] : []),
    ...(listed ? [`在黑名单内，不得进场：${listed.reasonTypeName}，${listed.scopeName}，至 ${listed.endDate}`] : []),
    ...(own?.expiryDate && own.expiryDate < formatDay(ctx.clock.now()) ? [`证件已于 ${own.expiryDate} 过期`] : []),
  ]
  return {
    // Without the exact name, the response does not reveal that a number is registered out of scope.
    known: own ? ('own' as const) : other && other.name === name ? ('other' as const) : ('none' as const),
    workerId: own?.id ?? null,
    name: own?.name ?? null,
    realNameState: own?.realNameState ?? null,
    onSite,
    gender: resident ? (genderOfIdCard(idCardNumber) ?? null) : null,
    birthday,
    age,
    birthPlaceName: resident ? nativePlace(birthPlaceOfIdCard(idCardNumber), areaPath) : null,
    warnings,
  }
}
