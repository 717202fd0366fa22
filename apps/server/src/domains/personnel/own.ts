import { consentVersion } from '@zhugong/contract/personnel/rules'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { NewRow } from '#kit/db'

/** What a person tells of himself, as the one it is about. */
type OwnRecord = Omit<NewRow<'workerResume'>, 'id' | 'workerId' | 'createBy'>

export async function addOwnRecord(ctx: Pick<Context, 'db' | 'newId' | 'user'>, workerId: string, record: OwnRecord): Promise<string> {
  const id = ctx.newId()
  await ctx.db
    .insertInto('workerResume')
    .values({ ...record, id, workerId, createBy: ctx.user.id })
    .execute()
  return id
}

/** The face goes at once, from the file and by its absence from the gates; the taking back stays on record. */
export async function withdrawFace(ctx: Pick<Context, 'db' | 'clock' | 'user'>, workerId: string): Promise<void> {
  const worker = found(
    await ctx.db.selectFrom('worker').select(['consents', 'version']).where('id', '=', workerId).forUpdate().executeTakeFirst(),
    '人员',
  )
  const taken = {
    kind: 'face',
    state: '已撤回',
    version: worker.consents.find((one) => one.kind === 'face')?.version ?? consentVersion,
    way: '手机确认',
    time: formatInstant(ctx.clock.now()),
  }
  await ctx.db
    .updateTable('worker')
    .set({
      consents: JSON.stringify([...worker.consents.filter((one) => one.kind !== 'face'), taken]),
      facePhoto: null,
      version: worker.version + 1,
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
    })
    .where('id', '=', workerId)
    .execute()
}
