import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'

type Writer = Pick<Context, 'db' | 'clock' | 'user'>

interface Part {
  projectCode: string
  corpType: string
}
/** Who takes over a part: sealed values are copied as they are. */
interface Leader {
  name: string
  idCardType: string
  idCardNumber: Buffer
  idCardHash: string
  idCardMask: string
  cellPhone: Buffer | null
  cellPhoneMask: string | null
}

/** The company that has the part now, and its leader; undefined if nobody has the part. */
export async function presentPart(ctx: Pick<Context, 'db'>, { projectCode, corpType }: Part) {
  return ctx.db
    .selectFrom('projectCorp as u')
    .innerJoin('corporation as c', 'c.corpCode', 'u.corpCode')
    .select(['u.id', 'u.version', 'u.corpCode', 'c.corpName', 'u.pmName', 'u.pmIdCardHash'])
    .where('u.projectCode', '=', projectCode)
    .where('u.corpType', '=', corpType)
    .where('u.exitTime', 'is', null)
    .orderBy('u.entryTime')
    .orderBy('u.id')
    .executeTakeFirst()
}

/**
 * Gives a part of the project another leader. The newcomer's stay at the site, if there is one, takes over the post; whoever had the post
 * keeps the stay without it.
 */
export async function changeLeader(
  ctx: Writer,
  unit: { id: string; version: number; projectCode: string; corpCode: string },
  post: string,
  leader: Leader,
): Promise<void> {
  await changeRow(ctx, 'projectCorp', {
    key: { id: unit.id },
    version: unit.version,
    noun: '参建单位',
    by: ctx.user.id,
    values: {
      pmName: leader.name,
      pmIdCardType: leader.idCardType,
      pmIdCardNumber: leader.idCardNumber,
      pmIdCardMask: leader.idCardMask,
      pmIdCardHash: leader.idCardHash,
      pmPhone: leader.cellPhone,
      pmPhoneMask: leader.cellPhoneMask,
    },
  })
  const now = new Date(ctx.clock.now())
  await sql`update project_worker set post = case when id_card_hash = ${leader.idCardHash} then ${post} end,
      version = version + 1, update_by = ${ctx.user.id}, update_time = ${now}
    where project_code = ${unit.projectCode} and corp_code = ${unit.corpCode} and exit_time is null
      and (post = ${post}) is distinct from (id_card_hash = ${leader.idCardHash})
      and (post = ${post} or id_card_hash = ${leader.idCardHash})`.execute(ctx.db)
}

/** Hands a part that one company can have to another company, from today on. The former company's people leave by their own exits. */
export async function changeParty(ctx: Writer & Pick<Context, 'newId'>, { projectCode, corpType }: Part, corpCode: string): Promise<void> {
  const today = formatDay(ctx.clock.now())
  const now = new Date(ctx.clock.now())
  await sql`update project_corp set exit_time = greatest(entry_time, ${today}::date), stationed = '2', version = version + 1,
      update_by = ${ctx.user.id}, update_time = ${now}
    where project_code = ${projectCode} and corp_type = ${corpType} and corp_code <> ${corpCode} and exit_time is null`.execute(ctx.db)
  await sql`insert into project_corp (id, project_code, corp_code, corp_type, entry_time, create_by)
    values (${ctx.newId()}, ${projectCode}, ${corpCode}, ${corpType}, ${today}::date, ${ctx.user.id})
    on conflict (project_code, corp_code, corp_type) do update set exit_time = null, stationed = '1', version = project_corp.version + 1,
      update_by = excluded.create_by, update_time = ${now}`.execute(ctx.db)
}
