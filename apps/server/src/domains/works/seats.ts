import { workSeatRights as rights } from '@zhugong/contract/works/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { contentHash, type Seat } from '../process/public.ts'

type Work = Row<'bigproject'>

/** The plan as it is signed. */
export const planContent = (row: Work) => {
  const { code, name, category, overScale, part, constructionCorp, subCorp, planName, planFiles } = row
  const { depth, height, span, totalLoad, lineLoad, pointLoad, pieceWeight, liftWeight, weight } = row
  const sizes = { depth, height, span, totalLoad, lineLoad, pointLoad, pieceWeight, liftWeight, weight }
  return { code, name, category, overScale, part, constructionCorp, subCorp, planName, planFiles, sizes }
}

const acceptContent = (row: Work) => {
  const { actualStartDate, actualEndDate, acceptDate, acceptPhotos } = row
  return { ...planContent(row), actualStartDate, actualEndDate, acceptDate, acceptPhotos }
}

export const readPeople = async (ctx: Pick<Context, 'db'>, id: string): Promise<Row<'bigprojectPerson'>[]> =>
  (await sql<Row<'bigprojectPerson'>>`select * from bigproject_person where work_id = ${id} order by kind, seq`.execute(ctx.db)).rows

/** The seats that a work has got so far: plan, revision, instruction and acceptance. */
export async function workSeats(ctx: Pick<Context, 'db'>, row: Work): Promise<readonly Seat[]> {
  const builder = { own: rights.builder, tablet: rights.builder }
  const supervisor = { own: rights.supervisor, tablet: rights.supervisor }
  const seats: Seat[] = []
  if (row.planFiles.length > 0) {
    const content = planContent(row)
    seats.push({ seat: 'tech', role: '施工单位技术负责人（方案）', ...builder, from: ['1'], content })
    if (row.state !== '1') seats.push({ seat: 'chief', role: '总监理工程师（方案）', ...supervisor, from: ['2'], content })
  }
  if (row.revisionFiles.length > 0) {
    const content = { ...planContent(row), note: row.revisionNote, files: row.revisionFiles }
    seats.push({ seat: 'tech2', role: '施工单位技术负责人（修改后）', ...builder, from: ['3'], content })
    seats.push({ seat: 'chief2', role: '总监理工程师（修改后）', ...supervisor, from: ['3'], content })
  }
  if (row.discloser) {
    const { disclosureDate, discloser, disclosureText } = row
    const disclosure = { disclosureDate, discloser, disclosureText }
    seats.push({ seat: 'discloser', role: '交底人', ...builder, from: ['5'], expects: discloser, content: disclosure })
    for (const { kind, seq, name, post } of await readPeople(ctx, row.id))
      if (kind === 'receiver')
        seats.push({
          seat: `receiver.${seq}`,
          role: `接受交底 · ${post}`,
          ...builder,
          from: ['5'],
          expects: name,
          content: { ...disclosure, name },
        })
  }
  if (row.acceptDate) {
    const content = acceptContent(row)
    seats.push({ seat: 'acceptTech', role: '项目技术负责人（验收）', ...builder, from: ['7'], content })
    seats.push({ seat: 'acceptChief', role: '总监理工程师（验收）', ...supervisor, from: ['7'], content })
  }
  return seats
}

/** The seats with a signature under the content as it is now. */
export async function signedSeats(ctx: Pick<Context, 'db'>, row: Work): Promise<Set<string>> {
  const { rows } = await sql<{ seat: string; hash: string }>`select seat, hash from process_signature
    where kind = 'bigproject' and object_id = ${row.id} and void_at is null and not refused`.execute(ctx.db)
  if (rows.length === 0) return new Set()
  const kept = new Set(rows.map((one) => `${one.seat} ${one.hash}`))
  const seats = await workSeats(ctx, row)
  return new Set(seats.filter(({ seat, content }) => kept.has(`${seat} ${contentHash(content)}`)).map(({ seat }) => seat))
}
